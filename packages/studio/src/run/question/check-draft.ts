// Whether a form is filled in, and what it says. The server has the last word: it knows the whole schema.
import type { Json } from '@holdfast/server/client';
import type { Draft, Field } from './fields.ts';
import type { Schema } from './schema.ts';

/** What a form makes. `problems` by the path of the field. */
export interface Checked {
  readonly value: Json | undefined;
  readonly problems: ReadonlyMap<string, string>;
}

/** The value of a draft, and what is wrong with it. */
export function checkDraft(fields: readonly Field[], draft: Draft): Checked {
  const problems = new Map<string, string>();
  const only = fields[0];
  if (fields.length === 1 && only?.path === '') return { value: read(only, draft, problems), problems };
  return { value: objectOf(fields, draft, problems), problems };
}

function objectOf(fields: readonly Field[], draft: Draft, problems: Map<string, string>): Json {
  const entries = fields.flatMap((field): [string, Json][] => {
    const value = read(field, draft, problems);
    return value === undefined ? [] : [[field.name, value]];
  });
  return Object.fromEntries(entries);
}

function read(field: Field, draft: Draft, problems: Map<string, string>): Json | undefined {
  const { path, widget, isRequired, schema } = field;
  if (widget === 'group') {
    const isUntouched = !isRequired && field.fields.every((each) => isEmpty(draft[each.path]));
    return isUntouched ? undefined : objectOf(field.fields, draft, problems);
  }
  const given = draft[path];
  const isMissing = isEmpty(given) && !(widget === 'list' && Array.isArray(given));
  if (isMissing && given !== null) {
    const takesEmpty =
      (widget === 'text' || widget === 'area') && isRequired && given === '' && (schema.minLength ?? 0) === 0;
    if (takesEmpty) return '';
    if (isRequired) problems.set(path, widget === 'choice' || widget === 'select' ? 'Choose one' : 'Must be filled in');
    return undefined;
  }
  const value = widget === 'number' ? numberOf(given) : widget === 'json' ? jsonOf(given) : given;
  const problem =
    value === undefined ? (widget === 'json' ? 'Must be JSON' : 'Must be a number') : problemOf(value, schema);
  if (problem !== undefined) problems.set(path, problem);
  return value;
}

function isEmpty(given: Json | undefined): boolean {
  return given === undefined || given === '';
}

function numberOf(given: Json | undefined): number | undefined {
  const text = typeof given === 'number' || typeof given === 'string' ? String(given).trim() : '';
  const value = Number(text);
  return text !== '' && Number.isFinite(value) ? value : undefined;
}

function jsonOf(given: Json | undefined): Json | undefined {
  try {
    return JSON.parse(typeof given === 'string' ? given : JSON.stringify(given)) as Json;
  } catch {
    return undefined;
  }
}

/** Why a value does not fit a schema, as far as the form knows. */
function problemOf(value: Json, schema: Schema): string | undefined {
  if (value === null)
    return schema.isNullable || schema.type === undefined || schema.type === 'null' ? undefined : 'Must not be null';
  if (typeof value === 'number') return numberProblem(value, schema);
  if (typeof value === 'string') return textProblem(value, schema);
  if (Array.isArray(value)) return listProblem(value, schema);
  return undefined;
}

function numberProblem(
  value: number,
  { type, minimum, maximum, exclusiveMinimum, exclusiveMaximum }: Schema,
): string | undefined {
  if (type === 'integer' && !Number.isSafeInteger(value)) return 'Must be a whole number';
  if (minimum !== undefined && value < minimum) return `Must be at least ${minimum}`;
  if (maximum !== undefined && value > maximum) return `Must be at most ${maximum}`;
  if (exclusiveMinimum !== undefined && value <= exclusiveMinimum) return `Must be more than ${exclusiveMinimum}`;
  if (exclusiveMaximum !== undefined && value >= exclusiveMaximum) return `Must be less than ${exclusiveMaximum}`;
  return undefined;
}

function textProblem(value: string, { minLength, maxLength, pattern, format }: Schema): string | undefined {
  const length = Array.from(value).length;
  if (minLength !== undefined && length < minLength) return `Must have at least ${minLength} characters`;
  if (maxLength !== undefined && length > maxLength) return `Must have at most ${maxLength} characters`;
  if (format === 'email' && !/^\S+@\S+\.\S+$/u.test(value)) return 'Must be an email address';
  if (pattern !== undefined && format === undefined && !matches(pattern, value)) return `Must match ${pattern}`;
  return undefined;
}

function listProblem(value: readonly Json[], { minItems, maxItems, items }: Schema): string | undefined {
  if (minItems !== undefined && value.length < minItems) return `Must have at least ${minItems} items`;
  if (maxItems !== undefined && value.length > maxItems) return `Must have at most ${maxItems} items`;
  return items === undefined
    ? undefined
    : value.map((each) => problemOf(each, items)).find((problem) => problem !== undefined);
}

/** A pattern that this browser cannot read is left to the server. */
function matches(pattern: string, value: string): boolean {
  try {
    return new RegExp(pattern, 'u').test(value);
  } catch {
    return true;
  }
}
