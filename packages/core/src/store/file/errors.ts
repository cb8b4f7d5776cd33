import { type HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { formatCursor } from '../../value/cursor.ts';
import { storeFault } from '../store-fault.ts';

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
export const notAsWritten = 'its checksum does not match its content or its place';

/** The error for content that is not what was written: where it is, and what to do. Nothing is guessed or repaired. */
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

/** Whether the error is one of the operating system with one of these codes. */
export function hasCode(error: unknown, ...codes: readonly string[]): boolean {
  return error instanceof Error && 'code' in error && codes.includes(error.code as string);
}

/** Whether nothing was at the path. */
export function isMissing(error: unknown): boolean {
  return hasCode(error, 'ENOENT', 'ENOTDIR');
}

/** A failure that changed nothing. */
export function withoutEffect(cause: unknown): HoldfastError {
  return storeFault({ effect: 'none', cause });
}

/** A failure after which nobody knows what a power cut would leave: the driver must be reopened. */
export function inDoubt(cause: unknown): HoldfastError {
  return storeFault({ effect: 'unknown', poisoned: true, cause });
}

/**
 * Undoes a failed write and returns the error to throw: without effect only if the undo is durable, and never after an I/O
 * error, because a disk that had one cannot be trusted.
 */
export async function undone(cause: unknown, undo: () => Promise<void>): Promise<HoldfastError> {
  try {
    await undo();
  } catch {
    return inDoubt(cause);
  }
  return hasCode(cause, 'EIO') ? inDoubt(cause) : withoutEffect(cause);
}

/**
 * Returns the error to throw after a failed sync. The write is undone as far as possible, so that the next process to open
 * the store does not mistake what is only in the system's cache for durable.
 */
export async function undoneInDoubt(cause: unknown, undo: () => Promise<void>): Promise<HoldfastError> {
  await undo().catch(() => {});
  return inDoubt(cause);
}
