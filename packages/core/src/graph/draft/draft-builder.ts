import type { Builder } from '../builder.ts';
import { compileDraft } from '../compile/compile-draft.ts';
import { markBuilder, publicGraph } from '../compile/compiled.ts';
import type { Complain, Problem } from '../compile/problem.ts';
import type { Declared } from '../declared.ts';
import type { AnyGraph } from '../shape.ts';
import type { Draft, DraftNode } from './draft.ts';
import { type Link, readEdge, readRoute } from './link.ts';
import { readEach, readInner, readNode } from './read-node.ts';

/** A builder without types. `compile` reports all problems at once. */
interface UntypedBuilder {
  node(name: unknown, fn: unknown, policy: unknown): UntypedBuilder;
  each(name: unknown, over: unknown, fn: unknown, policy: unknown): UntypedBuilder;
  graph(name: unknown, inner: unknown, map: unknown): UntypedBuilder;
  edge(from: unknown, to: unknown): UntypedBuilder;
  route(from: unknown, to: unknown, pick: unknown): UntypedBuilder;
  compile(): AnyGraph;
}

/** What one call added. A linked list, so that a call on a builder with thousands of nodes copies nothing. */
interface Addition {
  readonly before: Addition | undefined;
  readonly node?: DraftNode | undefined;
  readonly link?: Link | undefined;
  readonly problems: readonly Problem[];
}

/** A builder that continues this draft. */
export function builderOf<D extends Declared>(draft: Draft): Builder<D, never, unknown> {
  // The types of a builder exist only in its interface, not at run time.
  return untypedBuilder(draft, undefined) as unknown as Builder<D, never, unknown>;
}

function untypedBuilder(draft: Draft, before: Addition | undefined): UntypedBuilder {
  const addNode = (name: unknown, read: (complain: Complain) => DraftNode | undefined): UntypedBuilder => {
    const problems: Problem[] = [];
    const node = read((what) => problems.push(typeof name === 'string' ? { node: name, what } : { what }));
    return untypedBuilder(draft, { before, node, problems });
  };
  const addLink = (read: (complain: Complain) => Link | undefined): UntypedBuilder => {
    const problems: Problem[] = [];
    const link = read((what) => problems.push({ what }));
    return untypedBuilder(draft, { before, link, problems });
  };
  const builder: UntypedBuilder = Object.freeze({
    node: (name, fn, policy) => addNode(name, (complain) => readNode({ name, fn, policy }, complain)),
    each: (name, over, fn, policy) => addNode(name, (complain) => readEach({ name, over, fn, policy }, complain)),
    graph: (name, inner, map) => addNode(name, (complain) => readInner({ name, inner, map }, complain)),
    edge: (from, to) => addLink((complain) => readEdge(from, to, complain)),
    route: (from, to, pick) => addLink((complain) => readRoute({ from, to, pick }, complain)),
    compile: () => publicGraph(compileDraft(withAll(draft, before))),
  } satisfies UntypedBuilder);
  markBuilder(builder);
  return builder;
}

/** The draft with everything that was added, in order. */
function withAll(draft: Draft, last: Addition | undefined): Draft {
  const additions: Addition[] = [];
  for (let each = last; each !== undefined; each = each.before) additions.push(each);
  additions.reverse();
  return {
    ...draft,
    nodes: additions.flatMap(({ node }) => node ?? []),
    links: additions.flatMap(({ link }) => link ?? []),
    problems: [...draft.problems, ...additions.flatMap(({ problems }) => problems)],
  };
}
