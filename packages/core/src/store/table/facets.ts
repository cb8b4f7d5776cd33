import { frontierOf, type TableRun, tagsOf, waitsOf } from './table-run.ts';

/** What runs are found by, in the order of their numbers, which never change. */
const types = ['tag', 'wait', 'node'] as const;

/** A tag with its value, a kind of open wait, or a node in the frontier. */
export interface Facet {
  readonly type: (typeof types)[number];
  readonly name: string;
  readonly value: string;
}

/** The columns of a facet. */
export function facetValues({ type, name, value }: Facet): [number, string, string] {
  return [types.indexOf(type), name, value];
}

/** The facets that a change of a run removes and adds. */
export interface FacetChange {
  readonly gone: readonly Facet[];
  readonly added: readonly Facet[];
}

const unchanged: FacetChange = { gone: [], added: [] };

/** Which facets change. Undefined: there was no run before, or is none after. */
export function facetChange(before: TableRun | undefined, after: TableRun | undefined): FacetChange {
  if (before !== undefined && after !== undefined && isSame(before, after)) return unchanged;
  const [old, now] = [before, after].map((run) => (run === undefined ? new Map<string, Facet>() : facetsOf(run)));
  const missingIn = (from: ReadonlyMap<string, Facet>, there: ReadonlyMap<string, Facet>): readonly Facet[] =>
    [...from].flatMap(([name, facet]) => (there.has(name) ? [] : facet));
  return {
    gone: missingIn(old as Map<string, Facet>, now as Map<string, Facet>),
    added: missingIn(now as Map<string, Facet>, old as Map<string, Facet>),
  };
}

/** Told without parsing anything, as with most steps. */
function isSame(a: TableRun, b: TableRun): boolean {
  if (a.row.tags !== b.row.tags || a.row.waits !== b.row.waits) return false;
  return indexedFrontier(a) === indexedFrontier(b);
}

/** The frontier of a leased run changes with every step. Those runs are few, and found by their heads. */
function indexedFrontier({ row, head }: TableRun): string {
  return row.worker === null ? head.frontier : '[]';
}

/** What a run is found by, under a name for each. */
export function facetsOf(run: TableRun): ReadonlyMap<string, Facet> {
  const facets: Facet[] = [];
  for (const [name, value] of Object.entries(tagsOf(run.row))) facets.push({ type: 'tag', name, value });
  for (const { kind } of waitsOf(run.row)) facets.push({ type: 'wait', name: kind, value: '' });
  for (const node of run.row.worker === null ? frontierOf(run.row, run.head) : [])
    facets.push({ type: 'node', name: node, value: '' });
  return new Map(facets.map((facet) => [JSON.stringify(facetValues(facet)), facet]));
}
