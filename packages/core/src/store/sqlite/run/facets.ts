import { corrupt } from '../../table/corrupt.ts';
import { type Facet, facetChange, facetsOf, facetValues } from '../../table/facets.ts';
import type { Connection } from '../connection/connection.ts';
import type { KnownRun } from './run-row.ts';

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
    const { gone, added } = facetChange(before, after);
    for (const facet of gone) this.#delete(before.row, facet);
    for (const facet of added) this.#insert(after.row, facet);
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
