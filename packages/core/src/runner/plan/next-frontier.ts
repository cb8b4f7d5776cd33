import { holdfastError } from '../../errors/holdfast-error.ts';
import type { CompiledGraph, CompiledNode, Exits, Join, Route } from '../../graph/compile/compiled-graph.ts';
import { printable } from '../../value/printable.ts';
import { asHoldfastError } from '../fold/stored-error.ts';

/** A node that has ended, and its goto, which replaces its edges. */
export interface EndedNode {
  readonly node: CompiledNode;
  readonly gotos: readonly string[];
}

/** The sources that have arrived, by the join's key. */
type Arrivals = ReadonlyMap<string, readonly string[]>;

/** What comes next. */
export interface NextFrontier {
  readonly next: readonly string[];
  readonly joins: Arrivals;
}

interface NextOptions {
  readonly graph: CompiledGraph;
  readonly ended: readonly EndedNode[];
  readonly joins: Arrivals;
  /** The merged state, created when a route needs it. */
  readonly view: () => object;
}

/** The nodes to run next: by goto, edge and route, and the joins that fire. */
export function nextFrontier({ graph, ended, joins, view }: NextOptions): NextFrontier {
  const [first] = ended;
  const targets =
    ended.length === 1 && first !== undefined ? targetsOf(first, view) : ended.flatMap((each) => targetsOf(each, view));
  if (joins.size === 0 && !ended.some(reachesJoin)) return { next: inOrder(graph, targets), joins: noJoins };
  const arrived = arrivals(joins, ended);
  const next = new Set(targets);
  fireJoins(graph, next, arrived);
  return { next: inOrder(graph, [...next]), joins: new Map(Array.from(arrived, ([key, set]) => [key, [...set]])) };
}

/** The first nodes of a run. */
export function firstFrontier(graph: CompiledGraph, view: () => object): NextFrontier {
  return { next: inOrder(graph, exitTargets('start', graph.entry, view)), joins: noJoins };
}

const noJoins: Arrivals = new Map();

function targetsOf({ node, gotos }: EndedNode, view: () => object): readonly string[] {
  return gotos.length > 0 ? gotos : exitTargets(node.name, node.exits, view);
}

/** The targets of edges and routes. May contain duplicates and 'end'. */
function exitTargets(name: string, { edges, routes }: Exits, view: () => object): readonly string[] {
  const [only] = routes;
  if (only === undefined) return edges;
  if (edges.length === 0 && routes.length === 1) return pickTargets(name, only, view());
  return [...edges, ...routes.flatMap((route) => pickTargets(name, route, view()))];
}

function reachesJoin({ node, gotos }: EndedNode): boolean {
  return gotos.length === 0 && node.exits.joins.length > 0;
}

/** All sources that have arrived, including the new ones, by the join's key. */
function arrivals(joins: Arrivals, ended: readonly EndedNode[]): Map<string, Set<string>> {
  const arrived = new Map<string, Set<string>>();
  for (const [key, sources] of joins) arrived.set(key, new Set(sources));
  for (const { node } of ended.filter(reachesJoin)) {
    for (const { key } of node.exits.joins) {
      const sources = arrived.get(key);
      if (sources === undefined) arrived.set(key, new Set([node.name]));
      else sources.add(node.name);
    }
  }
  return arrived;
}

/** The targets that a route picked: one, several or none. @throws HOLDFAST_INVALID_ROUTE */
function pickTargets(name: string, { targets, pick }: Route, state: object): readonly string[] {
  let picked: unknown;
  try {
    picked = pick(state);
  } catch (thrown) {
    throw asHoldfastError(thrown, 'HOLDFAST_INVALID_ROUTE', `The route from node "${name}"`, { node: name });
  }
  const all: readonly unknown[] = Array.isArray(picked) ? [...(picked as readonly unknown[])] : [picked];
  for (const target of all) {
    if (typeof target === 'string' && targets.has(target)) continue;
    const shown = typeof target === 'string' ? `"${printable(target)}"` : `a value of type ${typeof target}`;
    throw holdfastError(
      'HOLDFAST_INVALID_ROUTE',
      `The route from node "${name}" picked ${shown}. It may pick ${[...targets].join(', ')}.`,
      { details: { node: name } },
    );
  }
  return all as readonly string[];
}

/**
 * Fires the joins whose sources have all arrived, or can no longer be reached from what runs next. One at a time,
 * because a join that fires may feed another join. Joins that no other join can feed come first.
 */
function fireJoins(graph: CompiledGraph, next: Set<string>, arrived: Map<string, Set<string>>): void {
  for (;;) {
    const open = graph.joins.filter(({ key }) => arrived.has(key));
    const complete = open.find((join) => missingOf(join, arrived).length === 0);
    const join = complete ?? firstStarved(open, next, arrived);
    if (join === undefined) return;
    arrived.delete(join.key);
    for (const target of join.targets) next.add(target);
  }
}

function missingOf({ key, sources }: Join, arrived: ReadonlyMap<string, ReadonlySet<string>>): readonly string[] {
  return sources.filter((source) => !(arrived.get(key) as ReadonlySet<string>).has(source));
}

function firstStarved(
  open: readonly Join[],
  next: ReadonlySet<string>,
  arrived: ReadonlyMap<string, ReadonlySet<string>>,
): Join | undefined {
  const canCome = (join: Join, from: Iterable<string>): boolean => {
    const nodes = [...from];
    return missingOf(join, arrived).some((source) => nodes.some((node) => join.leadingTo.get(source)?.has(node)));
  };
  const starved = open.filter((join) => !canCome(join, next));
  const fed = (join: Join): boolean => starved.some((other) => other !== join && canCome(join, other.targets));
  return starved.find((join) => !fed(join)) ?? starved[0];
}

/** Each node once, in order of declaration: the order in which their writes will be merged. */
function inOrder(graph: CompiledGraph, targets: readonly string[]): readonly string[] {
  if (targets.length < 2) return targets[0] === 'end' ? none : targets;
  const names = new Set(targets);
  return [...graph.nodes.keys()].filter((name) => names.has(name));
}

const none: readonly string[] = [];
