import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { Awaitable } from '../async/awaitable.ts';
import { sameValue } from '../value/equal.ts';
import { frozenCopy, isFrozenCopy } from '../value/frozen/frozen-copy.ts';
import { jsonPointer } from '../value/pointer.ts';
import { printable } from '../value/printable.ts';

/** The output type of a schema. */
export type Out<S> = S extends StandardSchemaV1 ? StandardSchemaV1.InferOutput<S> : never;
/** The input type of a schema. Arrays may be readonly, because everything read from a state is. */
export type In<S> = S extends StandardSchemaV1 ? Writable<StandardSchemaV1.InferInput<S>> : never;
/** A type with readonly arrays allowed. */
export type Writable<T> = T extends readonly unknown[] ? Readonly<T> : T;

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
  let result: Awaitable<StandardSchemaV1.Result<unknown>>;
  try {
    result = schema['~standard'].validate(value);
  } catch (cause) {
    throw refuse(schemaFailure(cause));
  }
  if (!('then' in result)) return accepted(result, value, refuse);
  return Promise.resolve(result).then(
    (settled) => accepted(settled, value, refuse),
    (cause: unknown) => {
      throw refuse(schemaFailure(cause));
    },
  );
}

function accepted(
  result: StandardSchemaV1.Result<unknown>,
  input: unknown,
  refuse: (refusal: SchemaRefusal) => Error,
): unknown {
  if (result.issues !== undefined) throw refuse(refusalOf(result.issues));
  return preferInput(result.value, input);
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

function refusalOf(issues: readonly StandardSchemaV1.Issue[]): SchemaRefusal {
  const all = issues.map(({ path = [], message }) => ({
    path: jsonPointer(path.map((part) => String(typeof part === 'object' ? part.key : part))),
    message,
  }));
  return { path: all[0]?.path ?? '', issues: all };
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
  const message = `the schema threw ${cause instanceof Error ? cause.message : String(cause)}`;
  return { path: '', issues: [{ path: '', message }], cause };
}
