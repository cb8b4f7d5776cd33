import { readCell } from '../delta/cell.ts';
import { type Channel, defineChannel } from './definition.ts';
import { channelCopy, invalidValue, otherKind } from './update/channel-error.ts';
import { mergeValues } from './update/merge-values.ts';

interface Dated {
  readonly at: number;
}

/**
 * Keeps the value with the greatest `at`. On a tie, the incoming value wins.
 *
 * @example
 * ```ts
 * const position = newest<{ at: number; lat: number; lon: number }>();
 * ```
 */
export function newest<T extends { readonly at: number }>(): Channel<T | undefined, T> {
  return defineChannel({
    completesInput: false,
    prepare: dated,
    prepareReplace: (name, value) => (value === undefined ? undefined : dated(name, value)),
    merge: (name, cell, writes) => {
      const before = readCell(cell);
      if (before !== undefined && !isDated(before)) throw otherKind(name, 'a value with a time in "at"');
      return mergeValues(cell, writes, later);
    },
  });
}

function dated(channel: string, value: unknown): unknown {
  const copy = channelCopy({ channel, keys: [] }, value);
  if (typeof copy !== 'object' || copy === null)
    throw invalidValue({ channel, keys: [] }, 'accepts only an object with a number in "at"');
  if (!isDated(copy)) throw invalidValue({ channel, keys: ['at'] }, 'accepts only an object with a number in "at"');
  return copy;
}

function isDated(value: unknown): value is Dated {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, 'at')) return false;
  const { at } = value as { readonly at: unknown };
  return typeof at === 'number' && !Number.isNaN(at);
}

function later(previous: unknown, next: unknown): unknown {
  return previous !== undefined && (previous as Dated).at > (next as Dated).at ? previous : next;
}
