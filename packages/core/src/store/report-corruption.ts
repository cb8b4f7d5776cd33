// Temporary: goes with the old `runs` of the file and SQLite drivers.
import type { HoldfastError } from '../errors/holdfast-error.ts';
import { isCorruption } from './is-corruption.ts';

export function reportCorruption(query: object, error: unknown): undefined {
  const { onCorrupt } = query as { onCorrupt?: (error: HoldfastError) => void };
  if (onCorrupt === undefined || !isCorruption(error)) throw error;
  onCorrupt(error);
}
