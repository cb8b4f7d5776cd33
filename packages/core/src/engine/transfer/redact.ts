import { holdfastError } from '../../errors/holdfast-error.ts';
import type { StoredError } from '../../runner/fold/stored-error.ts';
import { isPlainObject } from '../../value/codec/plain-object.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import { jsonPointer } from '../../value/pointer.ts';
import { type Keys, mapValue } from './map-value.ts';
import type { MovedRun } from './moved-run.ts';

/**
 * What is to be redacted: pointers, in which `*` stands for any key, or a function that gives what is to stand in the
 * place of a value; the same value leaves it, and what is in it is asked for next.
 */
export type Redact = readonly string[] | ((pointer: string, value: unknown) => unknown);

/** What user data an export can hold; a pointer begins with one of these. */
const roots = [
  'answers',
  'by',
  'emits',
  'errors',
  'input',
  'messages',
  'meta',
  'metadata',
  'notes',
  'output',
  'questions',
  'reason',
  'results',
  'state',
  'tags',
] as const;

/** A kind of user data. */
type Root = (typeof roots)[number];

/** What stands where a pointer leads. */
export const redacted = '[redacted]';

/** Redacts values by their place. */
export interface Redactor {
  /** The value, or what stands in its place; the same where nothing in it changes. */
  value(place: readonly [Root, ...Keys], value: unknown): unknown;
  error(error: StoredError): StoredError;
  run(moved: MovedRun): MovedRun;
}

/** @throws HOLDFAST_INVALID_OPTION for a pointer that cannot lead anywhere: a typo must not let a secret out */
export function redactorOf(redact: Redact): Redactor {
  const replace = typeof redact === 'function' ? byFunction(redact) : byPointers(redact);
  const value: Redactor['value'] = (place, given) => mapValue(place, given, replace);
  const error = (given: StoredError): StoredError => redactError(given, value);
  return {
    value,
    error,
    run: (moved) => {
      const tags = Object.entries(moved.header.tags).map(([name, tag]) => [name, String(value(['tags', name], tag))]);
      return { ...moved, header: { ...moved.header, tags: Object.fromEntries(tags) as Record<string, string> } };
    },
  };
}

type Replace = (keys: Keys, value: unknown) => unknown;

function byFunction(redact: (pointer: string, value: unknown) => unknown): Replace {
  return (keys, value) => {
    const given = redact(jsonPointer(keys), value);
    if (Object.is(given, value)) return value;
    return given === undefined ? redacted : frozenCopy(given);
  };
}

function byPointers(pointers: readonly string[]): Replace {
  const patterns = pointers.map(parsePointer);
  return (keys, value) => (patterns.some((pattern) => leadsTo(pattern, keys)) ? redacted : value);
}

function parsePointer(pointer: string): readonly string[] {
  const keys = pointer.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const [before, root] = keys;
  if (before === '' && (roots as readonly (string | undefined)[]).includes(root)) return keys.slice(1);
  throw holdfastError(
    'HOLDFAST_INVALID_OPTION',
    `${JSON.stringify(pointer)} leads to nothing that is exported. Begin it with / and one of ${roots.join(', ')}: /state/customer/email.`,
    { details: { option: 'redact', pointer } },
  );
}

function leadsTo(pattern: readonly string[], keys: Keys): boolean {
  return pattern.length === keys.length && pattern.every((key, at) => key === '*' || key === String(keys[at]));
}

/** A stack repeats the message, so it goes with any change. */
function redactError(error: StoredError, value: Redactor['value']): StoredError {
  const { cause, ...own } = error;
  const shown = value(['errors'], own);
  const chain = cause === undefined ? undefined : redactError(cause, value);
  if (shown === own && chain === cause) return error;
  if (!isPlainObject(shown)) return { name: 'Error', message: redacted };
  const kept = Object.entries(shown).filter(([name]) => name !== 'stack');
  return { ...(Object.fromEntries(kept) as unknown as StoredError), ...(chain !== undefined && { cause: chain }) };
}
