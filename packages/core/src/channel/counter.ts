import { readCell } from '../delta/cell.ts';
import { holdfastError } from '../errors/holdfast-error.ts';
import { type Channel, defineChannel } from './definition.ts';
import { invalidValue, otherKind } from './update/channel-error.ts';
import { mergeValues } from './update/merge-values.ts';

/**
 * Adds numbers.
 *
 * @example
 * ```ts
 * graph('poll', { state: { rounds: counter() } }).node('look', () => ({ rounds: 1 }));
 * ```
 *
 * @throws HOLDFAST_INVALID_OPTION
 */
export function counter(start = 0): Channel<number, number> {
  if (!Number.isFinite(start))
    throw holdfastError('HOLDFAST_INVALID_OPTION', 'counter(): the initial value must be a number.');
  return defineChannel({
    initial: () => start,
    completesInput: false,
    prepare: finite,
    prepareReplace: finite,
    merge: (name, cell, writes) => {
      if (typeof readCell(cell) !== 'number') throw otherKind(name, 'a number');
      return mergeValues(cell, writes, (previous, next) => (previous as number) + (next as number));
    },
  });
}

function finite(channel: string, value: unknown): unknown {
  if (!Number.isFinite(value)) throw invalidValue({ channel, keys: [] }, 'accepts only finite numbers');
  return value;
}
