import type { HoldfastError } from '../../errors/holdfast-error.ts';
import { storeFault } from '../store-fault.ts';
import { hasCode } from './system-error.ts';

/** A failure after which everything is as it was before. */
export function withoutEffect(cause: unknown): HoldfastError {
  return storeFault({ effect: 'none', cause });
}

/** A failure after which nobody knows what a power cut would leave: the driver cannot go on. */
export function inDoubt(cause: unknown): HoldfastError {
  return storeFault({ effect: 'unknown', poisoned: true, cause });
}

/**
 * Undoes what a failed write has left and gives what to throw: without effect only when the undoing is durable, and
 * never after an I/O error of the disk, whose word cannot be trusted any more.
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
 * Gives what to throw when a sync has failed. What it was for is undone as well as that goes, so that the next one to
 * open the store does not take for durable what is only in the system's memory.
 */
export async function undoneInDoubt(cause: unknown, undo: () => Promise<void>): Promise<HoldfastError> {
  await undo().catch(() => {});
  return inDoubt(cause);
}
