import { holdfastError } from '../errors/holdfast-error.ts';
import { printable } from './printable.ts';

/** What a name is the name of, as messages say it. */
export type NamedThing = 'agent' | 'channel' | 'graph' | 'message' | 'node' | 'question' | 'step' | 'workflow';

const idPattern = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;
const namePattern = /^[A-Za-z_$][\w$-]{0,127}$/;
const digitsOnly = /^\d+$/;

/** Names that every object has: as a key of somebody's plain object they would find what nobody put there. */
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

/** The last id that was found good: a run is committed to again and again. */
let lastRunId: string | undefined;

/** Whether this is an id that a run can have. */
export function isRunId(value: unknown): value is string {
  if (typeof value !== 'string') return false;
  if (value === lastRunId) return true;
  if (!idPattern.test(value) || inherited.has(value)) return false;
  lastRunId = value;
  return true;
}

/** Whether this is an id that a user can choose for a record or a checkpoint. */
export function isRecordId(value: unknown): value is string {
  return isRunId(value) && !digitsOnly.test(value);
}

/**
 * Gives back the id of a run, or refuses it before anything is read or written.
 *
 * @throws HOLDFAST_INVALID_ID
 */
export function checkRunId(value: unknown): string {
  if (isRunId(value)) return value;
  throw invalid('run', value, `as a run id. ${idRule}`);
}

/**
 * Gives back the id of a record or a checkpoint. Digits alone are refused: `run@5` is the record with seq 5.
 *
 * @throws HOLDFAST_INVALID_ID
 */
export function checkRecordId(value: unknown): string {
  if (isRecordId(value)) return value;
  throw invalid('record', value, `as a record id. ${idRule}, and not only digits (run@5 is the record with seq 5)`);
}

/**
 * Gives back the name of something in a user's code.
 *
 * @throws HOLDFAST_INVALID_ID
 */
export function checkName(what: NamedThing, value: unknown): string {
  if (typeof value === 'string' && namePattern.test(value) && !inherited.has(value)) return value;
  throw invalid(what, value, `as the name of a ${what}. ${nameRule}`);
}

const reserved = 'and not a name that every object has, such as constructor';
const idRule = `Use 1 to 128 letters, digits, dots, underscores, colons and hyphens, beginning with a letter or a digit, ${reserved}`;
const nameRule = `Use 1 to 128 letters, digits, underscores, hyphens and $, beginning with a letter, an underscore or $, ${reserved}`;

function invalid(what: string, value: unknown, rest: string): Error {
  const shown =
    typeof value === 'string' ? `"${printable(value)}"` : value === null ? 'null' : `a value of type ${typeof value}`;
  return holdfastError('HOLDFAST_INVALID_ID', `${shown} cannot serve ${rest}.`, { details: { what } });
}
