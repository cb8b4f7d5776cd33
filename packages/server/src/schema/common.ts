import type { RunStatus } from 'holdfast';
import { z } from 'zod';
import type { Json } from '../json/plain.ts';

/** Any JSON. What it has to be is known to the graph alone. */
export const json: z.ZodType<Json> = z.unknown() as unknown as z.ZodType<Json>;
/** A JSON value that a request has to bring. */
export const given: z.ZodType = z.unknown().refine((value) => value !== undefined, 'is required');

export const id: z.ZodType<string> = z.string().min(1).max(512);
export const text: z.ZodType<string> = z.string().max(4_096);
export const time: z.ZodType<string> = z.string().meta({ format: 'date-time' });
/** Values by name. zod leaves a field named __proto__ out: nothing may be lost in silence. */
export function fields<T>(value: z.ZodType<T>): z.ZodType<Readonly<Record<string, T>>> {
  const each = Object.entries(z.toJSONSchema(value)).filter(([key]) => key !== '$schema');
  return z
    .unknown()
    .refine(hasNoProto, 'may not have a field named __proto__')
    .pipe(z.record(z.string(), value))
    .meta({ type: 'object', additionalProperties: Object.fromEntries(each) });
}

function hasNoProto(given: unknown): boolean {
  return typeof given !== 'object' || given === null || !Object.hasOwn(given, '__proto__');
}

export const tags: z.ZodType<Readonly<Record<string, string>>> = fields(z.string());
/** `30d`, `90m`, or milliseconds. */
export const duration: z.ZodType<`${number}${'ms' | 's' | 'm' | 'h' | 'd'}`> = z
  .string()
  .regex(
    /^\d{1,12}(?:\.\d{1,3})?(?:ms|s|m|h|d)$/u,
    'must be a duration: 30s, 5m, 1h or 2d',
  ) as unknown as z.ZodType<`${number}s`>;

const statuses = ['pending', 'running', 'waiting', 'suspended', 'completed', 'failed', 'cancelled'] as const;
export const status: z.ZodType<RunStatus> = z.enum(statuses);

/** Nothing may be given. */
export const nothing: z.ZodType<object> = z.strictObject({});

/** The bounds of a whole number in a query, for the document. */
export interface CountBounds {
  readonly minimum: number;
  readonly maximum: number;
  readonly default?: number | undefined;
}

/** The whole numbers in queries, which are texts on their way. */
export const countBounds: WeakMap<object, CountBounds> = new WeakMap();

/** A whole number in a query. */
export function count(minimum: number, maximum: number): z.ZodType<number | undefined>;
export function count(minimum: number, maximum: number, otherwise: number): z.ZodType<number>;
export function count(minimum: number, maximum: number, otherwise?: number): z.ZodType<number | undefined> {
  const schema = z
    .string()
    .regex(/^\d{1,15}$/u, 'must be a whole number')
    .transform(Number)
    .refine((value) => value >= minimum && value <= maximum, `must be between ${minimum} and ${maximum}`)
    .optional()
    .transform((value) => value ?? otherwise);
  countBounds.set(schema, { minimum, maximum, ...(otherwise !== undefined && { default: otherwise }) });
  return schema;
}
