/** So many runs' steps are written with one statement: more save nothing. */
export const together = 8;

/** The places of so many rows of values. */
export function rowsOf(columns: number): string {
  const row = `(${Array.from({ length: columns }, () => '?').join(', ')})`;
  return Array.from({ length: together }, () => row).join(', ');
}
