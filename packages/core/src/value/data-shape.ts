import { isPlainObject } from './codec/plain-object.ts';

/** Whether a value that came from outside has an expected shape. Values that users own are not looked into. */
export type Shape = (value: unknown) => boolean;

/** Latest time that a `Date` can hold, in milliseconds. */
const lastTime = 8.64e15;
/** Leaves room to add 1 as often as anyone ever will. */
const lastSeq = 2 ** 52;

export const anything: Shape = () => true;
export const nothing: Shape = () => false;
export const isText: Shape = (value) => typeof value === 'string';
/** A text that every store keeps as it is: not too long, no NUL, no half of a surrogate pair. */
export const isLabel: Shape = (value) => typeof value === 'string' && value.length <= 256 && !/[\0\p{Cs}]/u.test(value);
export const isFlag: Shape = (value) => typeof value === 'boolean';
/** A seq, a count, or a version. */
export const isCount: Shape = (value) =>
  Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) <= lastSeq;
/** Milliseconds since 1970 that a `Date` can hold, whole or not. */
export const isTime: Shape = (value) => typeof value === 'number' && Math.abs(value) <= lastTime;

export function optional(shape: Shape): Shape {
  return (value) => value === undefined || shape(value);
}

export function nullable(shape: Shape): Shape {
  return (value) => value === null || shape(value);
}

export function oneOf(...values: readonly unknown[]): Shape {
  return (value) => values.includes(value);
}

export function anyOf(...shapes: readonly Shape[]): Shape {
  return (value) => shapes.some((shape) => shape(value));
}

export function listOf(shape: Shape): Shape {
  return (value) => Array.isArray(value) && value.every(shape);
}

/** An object whose keys are free. */
export function recordOf(shape: Shape): Shape {
  return (value) => isPlainObject(value) && Object.values(value).every(shape);
}

/** A `Map` with keys that are texts. */
export function mapOf(shape: Shape): Shape {
  return (value) => value instanceof Map && Array.from(value).every(([key, item]) => isText(key) && shape(item));
}

/** An object whose shape depends on the first of these fields that it has. */
export function byField(cases: Readonly<Record<string, Shape>>, otherwise: Shape): Shape {
  const fields = Object.keys(cases);
  return (value) => {
    if (!isPlainObject(value)) return false;
    const field = fields.find((name) => Object.hasOwn(value, name));
    return (field === undefined ? otherwise : (cases[field] as Shape))(value);
  };
}

/** An object with these fields. It may have others. */
export function objectOf(fields: Readonly<Record<string, Shape>>): Shape {
  const entries = Object.entries(fields);
  return (value) => isPlainObject(value) && entries.every(([name, shape]) => shape(ownField(value, name)));
}

function ownField(value: Record<string, unknown>, name: string): unknown {
  return Object.hasOwn(value, name) ? value[name] : undefined;
}
