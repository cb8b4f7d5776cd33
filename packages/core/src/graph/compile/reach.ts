import type { DraftNode } from '../draft/draft.ts';
import type { PlainJoin, Wiring } from './connect.ts';

/** Which node leads to which, at most: by edges, routes, gotos and joins. 'end' is not among them. */
export interface Reach {
  /** From each node to those that may come right after it. */
  readonly next: ReadonlyMap<string, ReadonlySet<string>>;
  /** The nodes that 'start' leads to, directly or not. */
  readonly reachable: ReadonlySet<string>;
  readonly hasCycle: boolean;
}

/** Looks at a graph's connections as a whole. */
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
 * For each source of a join, the nodes from which it can still be reached, itself included, as long as the join has not
 * fired: not through one of its targets, and not by the join itself. A source that is a target too is where a way ends,
 * not where it passes through.
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

/** Every pair of nodes of which one may come right after the other, but for joins. */
function* plainSteps(wiring: Wiring, nodes: readonly DraftNode[]): Iterable<readonly [string, string]> {
  for (const [from, { edges, routes }] of wiring.ways) {
    for (const to of edges) if (to !== 'end') yield [from, to];
    for (const { targets } of routes) for (const to of targets) if (to !== 'end') yield [from, to];
  }
  for (const { name, to } of nodes) for (const target of to) if (wiring.ways.has(target)) yield [name, target];
}

/** All that can be reached from these, themselves included. Without recursion: a chain may be long. */
function walk(from: Iterable<string>, next: (name: string) => Iterable<string>): ReadonlySet<string> {
  const seen = new Set(from);
  // A set gives what is added to it while it is gone through.
  for (const name of seen) for (const each of next(name)) seen.add(each);
  return seen;
}

/** Takes away, again and again, what nothing leads to: what is left leads round. */
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
