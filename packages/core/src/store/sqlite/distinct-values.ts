import type { Connection } from './connection.ts';
import { corrupt } from './corrupt.ts';
import type { SqliteValue } from './database.ts';

interface DistinctOptions {
  readonly column: string;
  /** With the index in which the column comes next after those of the condition. */
  readonly from: string;
  readonly where: string;
  readonly values: readonly SqliteValue[];
  /** No more than these are looked for. */
  readonly most?: number | undefined;
}

/** The few values that a column has among many rows, in order: each is found by one step in the index. */
export function distinctValues(connection: Connection, options: DistinctOptions): readonly (string | number)[] {
  const { column, from, where, values, most = Number.POSITIVE_INFINITY } = options;
  const least = `SELECT min(${column}) FROM ${from} WHERE ${where}`;
  const next = `${least} AND ${column} > ?`;
  const found: (string | number)[] = [];
  let value = connection.value(least, ...values);
  while (value !== null && value !== undefined && found.length < most) {
    // What is bound again may be another value where it is no text any more: the next one would be the same for ever.
    if (value === found.at(-1)) throw corrupt({ table: 'runs' }, `its ${column} cannot be told apart in an index`);
    found.push(value);
    value = connection.value(next, ...values, value);
  }
  return found;
}
