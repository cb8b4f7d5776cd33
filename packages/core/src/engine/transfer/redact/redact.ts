import { holdfastError } from '../../../errors/holdfast-error.ts';
import { plainFields } from '../../../errors/plain-fields.ts';
import type { StoredError } from '../../../runner/fold/stored-error.ts';
import { isPlainObject } from '../../../value/codec/plain-object.ts';
import { frozenCopy } from '../../../value/frozen/frozen-copy.ts';
import { jsonPointer } from '../../../value/pointer.ts';
import type { MovedRun } from '../moved-run.ts';
import { type Keys, mapValue } from './map-value.ts';
import { type Pattern, redacted, replaceMatches } from './patterns.ts';

/**
 * What to redact: pointers, in which `*` matches any key, or a function that returns the value to export. If it returns
 * the same value, it is called for the values inside.
 *
 * @example
 * ```ts
 * const mask: Redact = (pointer, value) => (pointer.endsWith('/email') ? '***' : value);
 * const pieces = engine.export('ord-81', { redact: mask });
 * ```
 */
export type Redact = readonly string[] | ((pointer: string, value: unknown) => unknown);

/** The kinds of user data in an export; a pointer begins with one of these. */
const roots = [
  'answers',
  'by',
  'emits',
  'errors',
  'ids',
  'input',
  'label',
  'labels',
  'logs',
  'messages',
  'meta',
  'metadata',
  'notes',
  'output',
  'questions',
  'reason',
  'results',
  'sources',
  'state',
  'tags',
] as const;

/** Those that have names below them. Alone, they stand for all of them: a secret must not depend on a missing `/*`. */
const named: ReadonlySet<string> = new Set(['answers', 'logs', 'messages', 'questions', 'results', 'state', 'tags']);

/** A kind of user data. */
type Root = (typeof roots)[number];

/** Redacts values by their place. */
export interface Redactor {
  /** What the pointers match. Undefined for a function, which has to see each value. */
  readonly patterns: readonly Pattern[] | undefined;
  /** The redacted value; the same value if nothing in it changes. */
  value(place: readonly [Root, ...Keys], value: unknown): unknown;
  error(error: StoredError): StoredError;
  run(moved: MovedRun): MovedRun;
}

/** @throws HOLDFAST_INVALID_OPTION for a pointer that cannot match anything: a typo must not leak a secret */
export function redactorOf(redact: Redact): Redactor {
  const patterns = typeof redact === 'function' ? undefined : redact.map(parsePointer);
  const replace = typeof redact === 'function' ? byFunction(redact) : replaceMatches(patterns ?? []);
  const value: Redactor['value'] = (place, given) => mapValue(place, given, replace);
  const error = (given: StoredError): StoredError => redactError(given, value);
  return {
    patterns,
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

function parsePointer(pointer: string): Pattern {
  const keys = pointer.split('/').map((key) => key.replaceAll('~1', '/').replaceAll('~0', '~'));
  const [before, root] = keys;
  if (before === '' && (roots as readonly (string | undefined)[]).includes(root))
    return keys.length === 2 && named.has(String(root)) ? [String(root), '*'] : keys.slice(1);
  throw holdfastError(
    'HOLDFAST_INVALID_OPTION',
    `${JSON.stringify(pointer)} matches nothing that is exported. Begin it with / and one of ${roots.join(', ')}. Example: /state/customer/email.`,
    { details: { option: 'redact', pointer } },
  );
}

/** A stack repeats the message, so any change drops it. */
function redactError(error: StoredError, value: Redactor['value']): StoredError {
  const { cause, ...own } = error;
  const shown = value(['errors'], own);
  const chain = cause === undefined ? undefined : redactError(cause, value);
  if (shown === own && chain === cause) return error;
  if (!isPlainObject(shown)) return { name: 'Error', message: redacted };
  const { name, message, code, fields, details } = shown;
  return {
    name: typeof name === 'string' ? name : redacted,
    message: typeof message === 'string' ? message : redacted,
    ...(typeof code === 'string' && { code }),
    ...(isPlainObject(fields) && { fields: plainFields(fields) }),
    ...(isPlainObject(details) && { details }),
    ...(chain !== undefined && { cause: chain }),
  };
}
