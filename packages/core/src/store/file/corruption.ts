import { type HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { formatCursor } from '../../value/cursor.ts';

/** Where in the store something is wrong. */
export interface CorruptPlace {
  /** The path inside the store. */
  readonly file: string;
  /** Counted from 1. */
  readonly line?: number | undefined;
  readonly runId?: string | undefined;
  readonly seq?: number | undefined;
}

/** What is wrong with a line that does not match its checksum. */
export const notAsWritten = 'its checksum, or its place, is not the one that was written';

/** What is thrown for content that is not what was written: where it is, and what to do. Nothing is guessed or cut. */
export function corrupt(what: string, place: CorruptPlace, remedy = 'Restore it from a backup.'): HoldfastError {
  const where = describe(place);
  return holdfastError('HOLDFAST_CORRUPT', `${where} is corrupt: ${what}. ${remedy}`, {
    details: { where, ...place },
  });
}

function describe({ file, line, runId, seq }: CorruptPlace): string {
  const at = line === undefined ? file : `${file} line ${line}`;
  if (runId === undefined) return at;
  return `${at} (${seq === undefined ? `run ${runId}` : formatCursor(runId, seq)})`;
}
