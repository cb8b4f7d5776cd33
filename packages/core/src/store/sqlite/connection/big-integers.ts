import type { SqliteStatement } from './database.ts';

/**
 * Reads with a statement. An integer that no number holds was never written by us: it is rounded, so that what lies beside
 * it can be read, and what it stands for is found to be corrupt.
 */
export function readRounded<T>(statement: SqliteStatement, read: () => T): T {
  try {
    return read();
  } catch (error) {
    if (statement.setReadBigInts === undefined || !isOutOfRange(error)) throw error;
    statement.setReadBigInts(true);
    try {
      return rounded(read()) as T;
    } finally {
      statement.setReadBigInts(false);
    }
  }
}

/** Whether a driver refuses to give an integer as a number. Not all have a code for it. */
export function isOutOfRange(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code } = error as { readonly code?: unknown };
  return code === 'ERR_OUT_OF_RANGE' || error.message.includes('too large to be represented');
}

/** Rows as objects or arrays, or a list of them. */
function rounded(value: unknown): unknown {
  if (typeof value === 'bigint') return Number(value);
  if (Array.isArray(value)) return value.map(rounded);
  if (typeof value !== 'object' || value === null || value instanceof Uint8Array) return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, rounded(each)]));
}
