import { holdfastError } from '../errors/holdfast-error.ts';
import { type Duration, durationMs } from './duration.ts';

/**
 * A time: this long from now, or a date.
 *
 * @example
 * ```ts
 * const noon: Until = new Date('2027-01-01T12:00:00Z');
 * const later: Until = '30s';
 * ```
 */
export type Until = Duration | Date;

/** The time in milliseconds since 1970. @throws HOLDFAST_INVALID_OPTION */
export function deadlineMs(until: unknown, now: number): number {
  if (!(until instanceof Date)) return now + durationMs(until);
  const at = until.getTime();
  if (Number.isFinite(at)) return at;
  throw holdfastError('HOLDFAST_INVALID_OPTION', 'This Date is invalid: it has no time.');
}
