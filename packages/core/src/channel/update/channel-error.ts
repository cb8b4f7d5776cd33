import { HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { jsonPointer } from '../../value/pointer.ts';
import { printable } from '../../value/printable.ts';
import type { SchemaRefusal } from '../schema.ts';

/** A place in what was written to a channel: the keys that lead there. */
export interface Place {
  readonly channel: string;
  readonly keys: readonly (string | number)[];
}

/** The error for a value that a channel does not take; `what` says what it takes. */
export function invalidValue(place: Place, what: string): Error {
  const path = jsonPointer(place.keys);
  return holdfastError(
    'HOLDFAST_INVALID_VALUE',
    `Channel "${place.channel}" ${what}${at(path)}. Nothing was written.`,
    {
      details: { channel: place.channel, path },
    },
  );
}

/** The error for a value that a channel's schema refuses. */
export function refusedBySchema(place: Place, refusal: SchemaRefusal): Error {
  const path = jsonPointer(place.keys) + refusal.path;
  const { issues } = refusal;
  return holdfastError(
    'HOLDFAST_INVALID_VALUE',
    `The schema of channel "${place.channel}" refuses the value${at(path)}: ${issues.join('; ')}. Nothing was written.`,
    { details: { channel: place.channel, path, issues }, ...('cause' in refusal ? { cause: refusal.cause } : {}) },
  );
}

/** The error for a channel whose value is of another kind than its definition: it was defined otherwise before. */
export function otherKind(channel: string, kind: string): Error {
  return holdfastError(
    'HOLDFAST_INVALID_VALUE',
    `Channel "${channel}" does not hold ${kind}: it was defined otherwise when it was written. Migrate the state, or give the channel a new name.`,
    { details: { channel, path: '' } },
  );
}

/**
 * The frozen copy of what is written to a channel.
 *
 * @throws HOLDFAST_UNSERIALIZABLE, HOLDFAST_TOO_DEEP, HOLDFAST_TOO_LARGE, with the channel and the path.
 */
export function channelCopy<T>(place: Place, value: T): T {
  try {
    return frozenCopy(value);
  } catch (error) {
    throw inChannel(place, error);
  }
}

/** An error about a value, told of the channel that it was written to; one that knows its channel stays as it is. */
export function inChannel(place: Place, error: unknown): unknown {
  if (!HoldfastError.is(error) || 'channel' in error.details) return error;
  const inner: unknown = error.details['path'];
  const path = jsonPointer(place.keys) + (typeof inner === 'string' ? inner : '');
  return holdfastError(error.code, `Channel "${place.channel}": ${error.message}`, {
    details: { ...error.details, channel: place.channel, path },
    cause: error,
  });
}

function at(path: string): string {
  return path === '' ? '' : ` at ${printable(path)}`;
}
