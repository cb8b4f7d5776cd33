import type { StandardSchemaV1 } from '@standard-schema/spec';
import { frozenCopy } from '../value/frozen/frozen-copy.ts';

/**
 * The JSON Schema of a schema's input, for a form in a process without the code. Undefined if the schema's library cannot
 * produce it. Libraries that implement Standard JSON Schema can.
 */
export function jsonSchemaOf(schema: StandardSchemaV1): unknown {
  const standard: unknown = schema['~standard'];
  const converter = standard as { readonly jsonSchema?: { readonly input?: unknown } };
  const input = converter.jsonSchema?.input;
  if (typeof input !== 'function') return undefined;
  try {
    const convert = input as (options: { readonly target: string }) => unknown;
    return frozenCopy(convert.call(converter.jsonSchema, { target: 'draft-2020-12' }));
  } catch {
    // JSON Schema cannot express every validation.
    return undefined;
  }
}
