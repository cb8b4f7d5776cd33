import type { DraftNode } from '../draft/draft.ts';
import type { PlainJoin, Wiring } from './connect.ts';

/** Which nodes can follow which, by edges, routes, gotos and joins. 'end' is not included. */
export interface Reach {
  /** From each node to the nodes that may follow it directly. */
  readonly next: ReadonlyMap<string, ReadonlySet<string>>;
  /** The nodes that 'start' leads to, directly or indirectly. */
  readonly reachable: ReadonlySet<string>;
  readonly hasCycle: boolean;
}

/** Analyses the connections of a graph. */
export function reachOf(wiring: Wiring, nodes: readonly DraftNode[]): Reach {
  const next = new Map<string, Set<string>>();
  for (const name of wiring.ways.keys()) next.set(name, new Set());
  for (const [from, to] of plainSteps(wiring, nodes)) next.get(from)?.add(to);
  for (const { sources, targets } of wiring.joins.values()) {
    for (const source of sources) for (const target of targets) next.get(source)?.add(target);
  }
  const { edges, routes } = wiring.start;
  const entries = [...edges, ...routes.flatMap(({ targets }) => [...targets])].filter((name) => name !== 'end');
  return { next, reachable: walk(entries, (name) => next.get(name) ?? []), hasCycle: hasCycle(next) };
}

/**
 * For each source of a join, the nodes (including the source) that can reach it before the join fires: not through one
 * of its targets, and not through the join itself. If a source is also a target, paths may end there but not pass
 * through it.
 */
export function leadingTo(
  join: PlainJoin,
  wiring: Wiring,
  nodes: readonly DraftNode[],
): ReadonlyMap<string, ReadonlySet<string>> {
  const previous = new Map<string, string[]>();
  const add = (from: string, to: string): void => {
    const known = previous.get(to);
    if (known === undefined) previous.set(to, [from]);
    else known.push(from);
  };
  for (const [from, to] of plainSteps(wiring, nodes)) add(from, to);
  for (const other of wiring.joins.values()) {
    if (other === join) continue;
    for (const source of other.sources) for (const target of other.targets) add(source, target);
  }
  const targets = new Set(join.targets);
  const before = (name: string): readonly string[] => (previous.get(name) ?? []).filter((each) => !targets.has(each));
  return new Map(join.sources.map((source) => [source, walk([source], before)]));
}

/** Every pair of nodes where the second may follow the first directly, except by joins. */
function* plainSteps(wiring: Wiring, nodes: readonly DraftNode[]): Iterable<readonly [string, string]> {
  for (const [from, { edges, routes }] of wiring.ways) {
    for (const to of edges) if (to !== 'end') yield [from, to];
    for (const { targets } of routes) for (const to of targets) if (to !== 'end') yield [from, to];
  }
  for (const { name, to } of nodes) for (const target of to) if (wiring.ways.has(target)) yield [name, target];
}

/** Everything reachable from these nodes, including themselves. Not recursive, because chains may be long. */
function walk(from: Iterable<string>, next: (name: string) => Iterable<string>): ReadonlySet<string> {
  const seen = new Set(from);
  // Iterating over a set also visits items that are added meanwhile.
  for (const name of seen) for (const each of next(name)) seen.add(each);
  return seen;
}

/** Repeatedly removes nodes that nothing leads to. The remaining nodes form cycles. */
function hasCycle(next: ReadonlyMap<string, ReadonlySet<string>>): boolean {
  const incoming = new Map<string, number>();
  for (const targets of next.values()) for (const to of targets) incoming.set(to, (incoming.get(to) ?? 0) + 1);
  const free = [...next.keys()].filter((name) => !incoming.has(name));
  let taken = 0;
  for (let name = free.pop(); name !== undefined; name = free.pop()) {
    taken++;
    for (const to of next.get(name) ?? []) {
      const left = (incoming.get(to) ?? 0) - 1;
      incoming.set(to, left);
      if (left === 0) free.push(to);
    }
  }
  return taken < next.size;
}
