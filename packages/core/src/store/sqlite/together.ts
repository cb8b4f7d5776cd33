import type { SqliteValue } from './database.ts';

/** So many runs' steps are written with one statement: more save nothing. */
export const together = 8;

/** Room for the values of so many rows, to be used again and again: a list that grows is made several times. */
export function roomFor(columns: number): SqliteValue[] {
  return Array.from({ length: columns * together }, () => null);
}

/** The places of so many rows of values. */
export function rowsOf(columns: number): string {
  const row = `(${Array.from({ length: columns }, () => '?').join(', ')})`;
  return Array.from({ length: together }, () => row).join(', ');
}
