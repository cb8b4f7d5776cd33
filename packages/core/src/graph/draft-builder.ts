import type { Builder } from './builder.ts';
import { compileDraft } from './compile-draft.ts';
import { markBuilder, publicGraph } from './compiled.ts';
import type { Declared } from './declared.ts';
import type { Draft, DraftNode } from './draft.ts';
import { type Link, readEdge, readRoute } from './link.ts';
import type { Complain, Problem } from './problem.ts';
import { readEach, readInner, readNode } from './read-node.ts';
import type { AnyGraph } from './shape.ts';

/** A builder as untyped code sees it: what is wrong is told by `compile`, all at once. */
interface UntypedBuilder {
  node(name: unknown, fn: unknown, policy: unknown): UntypedBuilder;
  each(name: unknown, over: unknown, fn: unknown, policy: unknown): UntypedBuilder;
  graph(name: unknown, inner: unknown, map: unknown): UntypedBuilder;
  edge(from: unknown, to: unknown): UntypedBuilder;
  route(from: unknown, to: unknown, pick: unknown): UntypedBuilder;
  compile(): AnyGraph;
}

/** The builder of what is in a draft so far. */
export function builderOf<D extends Declared>(draft: Draft): Builder<D, never, unknown> {
  // The types of a builder are only in its interface; nothing of them is here at run time.
  return untypedBuilder(draft) as unknown as Builder<D, never, unknown>;
}

function untypedBuilder(draft: Draft): UntypedBuilder {
  const builder: UntypedBuilder = Object.freeze({
    node: (name, fn, policy) => withNode(draft, name, (complain) => readNode(name, fn, policy, complain)),
    each: (name, over, fn, policy) =>
      withNode(draft, name, (complain) => readEach({ name, over, fn, policy }, complain)),
    graph: (name, inner, map) => withNode(draft, name, (complain) => readInner(name, inner, map, complain)),
    edge: (from, to) => withLink(draft, (complain) => readEdge(from, to, complain)),
    route: (from, to, pick) => withLink(draft, (complain) => readRoute({ from, to, pick }, complain)),
    compile: () => publicGraph(compileDraft(draft)),
  } satisfies UntypedBuilder);
  markBuilder(builder);
  return builder;
}

function withNode(draft: Draft, name: unknown, read: (complain: Complain) => DraftNode | undefined): UntypedBuilder {
  const problems: Problem[] = [];
  const node = read((what) => problems.push(typeof name === 'string' ? { node: name, what } : { what }));
  return untypedBuilder({
    ...draft,
    nodes: node === undefined ? draft.nodes : [...draft.nodes, node],
    problems: [...draft.problems, ...problems],
  });
}

function withLink(draft: Draft, read: (complain: Complain) => Link | undefined): UntypedBuilder {
  const problems: Problem[] = [];
  const link = read((what) => problems.push({ what }));
  return untypedBuilder({
    ...draft,
    links: link === undefined ? draft.links : [...draft.links, link],
    problems: [...draft.problems, ...problems],
  });
}
