import type { Connection } from '../connection/connection.ts';
import { corrupt } from '../errors.ts';
import { frontierOf, type KnownRun, tagsOf, waitsOf } from './run-row.ts';

/** What runs are found by, in the order of their numbers, which never change. */
const types = ['tag', 'wait', 'node'] as const;

/** A tag with its value, a kind of open wait, or a node in the frontier. */
export interface Facet {
  readonly type: (typeof types)[number];
  readonly name: string;
  readonly value: string;
}

/** What a facet is bound as. */
export function facetValues({ type, name, value }: Facet): [number, string, string] {
  return [types.indexOf(type), name, value];
}

type Faceted = Pick<KnownRun, 'row' | 'head'>;

const insertFacet = 'INSERT INTO facets (type, name, value, createdAt, run) VALUES (?, ?, ?, ?, ?)';
const ofRun = 'type = ? AND name = ? AND value = ? AND createdAt = ? AND run = ?';

/** Keeps runs findable. The frontier of a leased run changes with every step: those are few, and found by their heads. */
export class FacetTable {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  add({ row, head }: Faceted): void {
    for (const facet of facetsOf({ row, head }).values()) this.#insert(row, facet);
  }

  /** Changes only what is different. */
  replace(before: Faceted, after: Faceted): void {
    if (isSame(before, after)) return;
    const [old, now] = [facetsOf(before), facetsOf(after)];
    for (const [name, facet] of old) if (!now.has(name)) this.#delete(before.row, facet);
    for (const [name, facet] of now) if (!old.has(name)) this.#insert(after.row, facet);
  }

  /** Each has to be there, or a search would not find the run. @throws HOLDFAST_CORRUPT */
  check({ row, head }: Faceted): void {
    for (const facet of facetsOf({ row, head }).values()) {
      const sql = `SELECT 1 FROM facets WHERE ${ofRun}`;
      if (this.#connection.value(sql, ...facetValues(facet), row.createdAt, row.key) !== undefined) continue;
      throw corrupt({ table: 'facets', runId: row.run }, `the ${facet.type} ${JSON.stringify(facet.name)} is missing`);
    }
  }

  #insert({ createdAt, key }: KnownRun['row'], facet: Facet): void {
    this.#connection.run(insertFacet, ...facetValues(facet), createdAt, key);
  }

  #delete({ createdAt, key }: KnownRun['row'], facet: Facet): void {
    this.#connection.run(`DELETE FROM facets WHERE ${ofRun}`, ...facetValues(facet), createdAt, key);
  }
}

/** Told without parsing anything, as with most steps. */
function isSame(a: Faceted, b: Faceted): boolean {
  if (a.row.tags !== b.row.tags || a.row.waits !== b.row.waits) return false;
  return indexedFrontier(a) === indexedFrontier(b);
}

function indexedFrontier({ row, head }: Faceted): string {
  return row.worker === null ? head.frontier : '[]';
}

function facetsOf(run: Faceted): ReadonlyMap<string, Facet> {
  const facets: Facet[] = [];
  for (const [name, value] of Object.entries(tagsOf(run.row))) facets.push({ type: 'tag', name, value });
  for (const { kind } of waitsOf(run.row)) facets.push({ type: 'wait', name: kind, value: '' });
  for (const node of run.row.worker === null ? frontierOf(run.row, run.head) : [])
    facets.push({ type: 'node', name: node, value: '' });
  return new Map(facets.map((facet) => [`${facet.type} ${JSON.stringify([facet.name, facet.value])}`, facet]));
}
