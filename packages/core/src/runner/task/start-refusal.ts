import { HoldfastError } from '../../errors/holdfast-error.ts';

/** Codes of errors in what a run is started with, not in the store. */
const refusals: readonly string[] = [
  'HOLDFAST_ID_TAKEN',
  'HOLDFAST_INVALID_ID',
  'HOLDFAST_INVALID_OPTION',
  'HOLDFAST_INVALID_ROUTE',
  'HOLDFAST_INVALID_VALUE',
  'HOLDFAST_INPUT_MISMATCH',
  'HOLDFAST_REDUCER_FAILED',
  'HOLDFAST_TIMEOUT',
  'HOLDFAST_TOO_DEEP',
  'HOLDFAST_TOO_LARGE',
  'HOLDFAST_TOO_MANY',
  'HOLDFAST_UNKNOWN_CHANNEL',
  'HOLDFAST_UNSERIALIZABLE',
];

/** Whether a run cannot be started as it was asked for. */
export function isRefusal(thrown: unknown): thrown is HoldfastError {
  return HoldfastError.is(thrown) && refusals.includes(thrown.code);
}
