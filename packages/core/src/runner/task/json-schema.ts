import type { StandardSchemaV1 } from '@standard-schema/spec';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';

/**
 * The JSON Schema of what a schema takes, for a form in a process that has not the code; undefined where the schema's
 * library cannot give it. Libraries that follow Standard JSON Schema have it beside their validation.
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
    // Not everything that can be checked can be said in JSON Schema.
    return undefined;
  }
}
