import { HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { jsonPointer } from '../../value/pointer.ts';
import { atPath, issuesText, type SchemaRefusal } from '../standard-schema.ts';

const nothingWritten = 'Nothing was written.';

/** A location in a value written to a channel. */
export interface Place {
  readonly channel: string;
  readonly keys: readonly (string | number)[];
}

/** The error for a value that a channel does not accept; `what` says what it accepts. */
export function invalidValue(place: Place, what: string): Error {
  const path = jsonPointer(place.keys);
  return holdfastError(
    'HOLDFAST_INVALID_VALUE',
    `Channel "${place.channel}" ${what}${atPath(path)}. ${nothingWritten}`,
    {
      details: { channel: place.channel, path },
    },
  );
}

/** The error for a value that a channel's schema refuses. */
export function refusedBySchema(place: Place, refusal: SchemaRefusal): Error {
  const { channel, keys } = place;
  const prefix = jsonPointer(keys);
  const issues = refusal.issues.map(({ path, message }) => ({ channel, path: prefix + path, message }));
  return holdfastError(
    'HOLDFAST_INVALID_VALUE',
    `The schema of channel "${channel}" refused the value${issuesText(issues)}. ${nothingWritten}`,
    {
      details: { channel, path: prefix + refusal.path, issues },
      ...('cause' in refusal ? { cause: refusal.cause } : {}),
    },
  );
}

/** The error for a channel whose stored value does not fit its definition, because the definition changed. */
export function otherKind(channel: string, kind: string): Error {
  return holdfastError(
    'HOLDFAST_INVALID_VALUE',
    `Channel "${channel}" does not contain ${kind}: it had a different definition when it was written. Migrate the state, or rename the channel.`,
    { details: { channel, path: '' } },
  );
}

/**
 * The frozen copy of a value that is written to a channel.
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

/** Adds the channel to an error about a value, unless the error already names one. */
export function inChannel(place: Place, error: unknown): unknown {
  if (!HoldfastError.is(error) || 'channel' in error.details) return error;
  const inner: unknown = error.details['path'];
  const path = jsonPointer(place.keys) + (typeof inner === 'string' ? inner : '');
  return holdfastError(error.code, `Channel "${place.channel}": ${error.message}`, {
    details: { ...error.details, channel: place.channel, path },
    cause: error,
  });
}

/** More than these are counted, not listed. */
const maxListed = 20;

/** One error for everything that is wrong with an update. */
export function allProblems(errors: readonly unknown[]): unknown {
  const problems = errors.filter((error) => HoldfastError.is(error));
  const [first] = problems;
  // Anything else is a bug, of ours or in the user's code.
  if (first === undefined || problems.length < errors.length) return errors.find((error) => !HoldfastError.is(error));
  if (problems.length === 1) return first;
  const listed = problems.slice(0, maxListed).map(({ message }) => message.replace(` ${nothingWritten}`, ''));
  const more = problems.length > maxListed ? [`And ${problems.length - maxListed} more.`] : [];
  const text = [`${problems.length} problems:`, ...listed, ...more, nothingWritten].join(' ');
  return holdfastError(first.code, text, {
    details: { ...first.details, issues: problems.flatMap(issuesOf) },
    cause: first,
  });
}

function issuesOf({ message, details }: HoldfastError): readonly unknown[] {
  if (Array.isArray(details['issues'])) return details['issues'];
  return [{ channel: details['channel'], path: details['path'] ?? '', message }];
}
