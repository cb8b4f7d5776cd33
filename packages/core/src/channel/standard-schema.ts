import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Awaitable } from '../async/awaitable.ts';
import { sameValue } from '../value/equal.ts';
import type { Frozen } from '../value/frozen/frozen.ts';
import { frozenCopy, isFrozenCopy } from '../value/frozen/frozen-copy.ts';
import { jsonPointer } from '../value/pointer.ts';
import { printable } from '../value/printable.ts';

/** The output type of a schema. */
export type Out<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<S> : never;
/** The input type of a schema. It may be read-only, because everything read from a state is. */
export type In<S> = S extends StandardSchemaV1 ? Frozen<StandardSchemaV1.InferInput<S>> : never;

/** One problem of a value. `path` is a JSON pointer. */
export interface SchemaIssue {
  readonly path: string;
  readonly message: string;
}

/** Why a schema refused a value. */
export interface SchemaRefusal {
  /** The path of the first issue. */
  readonly path: string;
  readonly issues: readonly SchemaIssue[];
  /** Set if the schema itself threw. */
  readonly cause?: unknown;
}

/** Whether this is a Standard Schema of any library. Some libraries use functions. */
export function isSchema(value: unknown): value is StandardSchemaV1 {
  if ((typeof value !== 'object' && typeof value !== 'function') || value === null || !('~standard' in value))
    return false;
  const standard: unknown = value['~standard'];
  return (
    typeof standard === 'object' &&
    standard !== null &&
    'validate' in standard &&
    typeof standard.validate === 'function'
  );
}

/** Validates a value and returns the frozen copy to keep. Throws or rejects with the error that `refuse` returns. */
export function checkBySchema(
  schema: StandardSchemaV1,
  value: unknown,
  refuse: (refusal: SchemaRefusal) => Error,
): Awaitable<unknown> {
  let result: unknown;
  let isLate: boolean;
  try {
    result = schema['~standard'].validate(value);
    isLate = isThenable(result);
  } catch (cause) {
    throw refuse(schemaFailure(cause));
  }
  if (!isLate) return accepted(result, value, refuse);
  return Promise.resolve(result).then(
    (settled) => accepted(settled, value, refuse),
    (cause: unknown) => {
      throw refuse(schemaFailure(cause));
    },
  );
}

/** Schemas are user code: they may return anything. */
function isThenable(result: unknown): result is PromiseLike<unknown> {
  return typeof result === 'object' && result !== null && 'then' in result;
}

function accepted(result: unknown, input: unknown, refuse: (refusal: SchemaRefusal) => Error): unknown {
  const verdict = verdictOf(result);
  if ('issues' in verdict) throw refuse(verdict);
  return preferInput(verdict.value, input);
}

/** Reads the result of a schema, which may be malformed. */
function verdictOf(result: unknown): { readonly value: unknown } | SchemaRefusal {
  if ((typeof result !== 'object' && typeof result !== 'function') || result === null)
    return misbehaved(`returned ${result === null ? 'null' : typeof result} instead of a result`);
  try {
    const { issues, value } = result as { readonly issues?: unknown; readonly value?: unknown };
    if (issues === undefined) return { value };
    return Array.isArray(issues) ? refusalOf(issues) : misbehaved('returned issues that are not an array');
  } catch (cause) {
    return schemaFailure(cause);
  }
}

/** Schemas copy what they check. If the copy is equal, the original is kept, so that shared parts stay shared. */
function preferInput(output: unknown, input: unknown): unknown {
  if (isFrozenCopy(input) && sameValue(input, output)) return input;
  const copy = frozenCopy(output);
  if (Object.is(output, input) || !sameValue(copy, input)) return copy;
  try {
    return frozenCopy(input);
  } catch {
    // For example a getter: it reads the same, but cannot be stored.
    return copy;
  }
}

/** More issues than these are counted, not listed. */
const maxIssues = 20;
/** The longest message of an issue, in characters. */
const maxMessage = 500;

function refusalOf(given: readonly unknown[]): SchemaRefusal {
  const issues = given.slice(0, maxIssues).map(issueOf);
  const more = given.length - issues.length;
  if (more > 0) issues.push({ path: '', message: `and ${more} more` });
  return { path: issues[0]?.path ?? '', issues };
}

function issueOf(given: unknown): SchemaIssue {
  const { path, message } = Object(given) as { readonly path?: unknown; readonly message?: unknown };
  const keys = (Array.isArray(path) ? path : []).slice(0, maxKeys).map((part: unknown) => {
    const key: unknown = typeof part === 'object' && part !== null && 'key' in part ? part.key : part;
    return String(key).slice(0, maxMessage);
  });
  const text = typeof message === 'string' ? message : 'no message';
  return { path: jsonPointer(keys), message: text.length > maxMessage ? `${text.slice(0, maxMessage - 1)}…` : text };
}

/** A path is no deeper than a value. */
const maxKeys = 200;

function misbehaved(how: string): SchemaRefusal {
  return { path: '', issues: [{ path: '', message: `the schema ${how}` }] };
}

/** The issues as the end of a sentence, each with its path: ` at /a: too long`, or `: /a: too long; /b: too short`. */
export function issuesText(issues: readonly SchemaIssue[]): string {
  const [first, ...others] = issues;
  if (first !== undefined && others.length === 0) return `${atPath(first.path)}: ${first.message}`;
  return `: ${issues.map(({ path, message }) => (path === '' ? message : `${printable(path)}: ${message}`)).join('; ')}`;
}

/** Where a value is, as part of a sentence. Empty for the whole value. */
export function atPath(path: string): string {
  return path === '' ? '' : ` at ${printable(path)}`;
}

function schemaFailure(cause: unknown): SchemaRefusal {
  return { path: '', issues: [issueOf({ message: `the schema threw ${describe(cause)}` })], cause };
}

/** Anything can be thrown, also what cannot be converted to a string. */
function describe(thrown: unknown): string {
  try {
    const { message }: { readonly message?: unknown } = thrown instanceof Error ? thrown : {};
    if (typeof message === 'string') return message;
    return typeof thrown === 'object' && thrown !== null ? 'an object that is not an Error' : String(thrown);
  } catch {
    return 'an object that cannot be read';
  }
}
