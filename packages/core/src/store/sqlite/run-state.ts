import type { RunStatus } from '../contract/run.ts';

/**
 * What lists of runs are told apart by, in one small number of the run's row: the status, and bits for what a search
 * would otherwise have to look at each run for.
 */

/** In the order of their numbers, which never change. */
const statuses: readonly RunStatus[] = ['pending', 'running', 'waiting', 'completed', 'failed', 'cancelled'];
const statusBits = 7;

/** Deleted; the index of runs that can be claimed names the bit. */
export const hiddenBit = 8;
/** Its frontier is empty: a search for a node passes it by. */
export const idleBit = 16;
/** A clock that was set back gave it a change before its creation: a search by age cannot pass it by. */
export const earlyBit = 32;

/** A copy that is not whole yet. */
export const draftBit = 64;

/** The number of a status. */
export function encodeStatus(status: RunStatus): number {
  return statuses.indexOf(status);
}

/** The status in a state. */
export function statusOf(state: number): RunStatus {
  return statuses[state & statusBits] as RunStatus;
}

export function withStatus(state: number, status: RunStatus): number {
  return (state & ~statusBits) | encodeStatus(status);
}

export function isHidden(state: number): boolean {
  return (state & hiddenBit) !== 0;
}
