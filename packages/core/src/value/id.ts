import { holdfastError } from '../errors/holdfast-error.ts';
import { printable } from './printable.ts';

/** What a name refers to, for messages. */
export type NamedThing = 'agent' | 'channel' | 'graph' | 'message' | 'node' | 'question' | 'step' | 'workflow';

const idPattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;
const namePattern = /^[A-Za-z_$][\w$-]{0,127}$/;
const digitsOnly = /^\d+$/;

/** Names that every object inherits. Looking them up in a user's plain object would find the inherited value. */
const inherited: ReadonlySet<string> = new Set([
  '__defineGetter__',
  '__defineSetter__',
  '__lookupGetter__',
  '__lookupSetter__',
  '__proto__',
  'constructor',
  'hasOwnProperty',
  'isPrototypeOf',
  'propertyIsEnumerable',
  'prototype',
  'toLocaleString',
  'toString',
  'valueOf',
]);

/** The last valid id, cached because a run is committed to repeatedly. */
let lastRunId: string | undefined;

/** Whether this is a valid run id. */
export function isRunId(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  if (value === lastRunId) return true;
  if (!idPattern.test(value) || inherited.has(value)) return false;
  lastRunId = value;
  return true;
}

/** Whether this is a valid id for a user's record or checkpoint. */
export function isRecordId(value: unknown): value is string {
  return isRunId(value) && !digitsOnly.test(value);
}

/**
 * Returns a valid run id unchanged.
 *
 * @throws HOLDFAST_INVALID_ID
 */
export function checkRunId(value: unknown): string {
  if (isRunId(value)) return value;
  throw invalid('run', value, `a valid run id. ${idRule}`);
}

/**
 * Returns a valid record or checkpoint id unchanged. Refuses digits only: `run@5` is the record with seq 5.
 *
 * @throws HOLDFAST_INVALID_ID
 */
export function checkRecordId(value: unknown): string {
  if (isRecordId(value)) return value;
  throw invalid('record', value, `a valid record id. ${idRule}, and not only digits (run@5 is the record with seq 5)`);
}

/** Whether this is a valid name of a graph, node, channel, question or message. */
export function isName(value: unknown): value is string {
  return typeof value === 'string' && namePattern.test(value) && !inherited.has(value);
}

/**
 * Returns a valid name unchanged.
 *
 * @throws HOLDFAST_INVALID_ID
 */
export function checkName(what: NamedThing, value: unknown): string {
  if (isName(value)) return value;
  throw invalid(what, value, `a valid ${what} name. ${nameRule}`);
}

const reserved = 'and not a property of every object, such as constructor';
const idRule = `Use 1 to 128 letters, digits, dots, underscores, colons and hyphens, starting with a letter or a digit, ${reserved}`;
const nameRule = `Use 1 to 128 letters, digits, underscores, hyphens and $, starting with a letter, an underscore or $, ${reserved}`;

function invalid(what: string, value: unknown, rest: string): Error {
  const shown =
    typeof value === 'string' ? `"${printable(value)}"` : value === null ? 'null' : `a value of type ${typeof value}`;
  return holdfastError('HOLDFAST_INVALID_ID', `${shown} is not ${rest}.`, { details: { what } });
}
