import type { Json } from '@holdfast/server/client';
import { isFields } from '../part/copy-forms.ts';

/** A value to begin with: the fields of a schema that have no default, each empty after its type. */
export function sampleOf(schema: unknown): Json {
  if (!isFields(schema)) return {};
  const { type, properties, enum: choices, default: given } = schema;
  if (given !== undefined) return given as Json;
  if (Array.isArray(choices)) return (choices[0] ?? null) as Json;
  if (isFields(properties)) {
    const wanted = Object.entries(properties).filter(([, inner]) => !isFields(inner) || isSimple(inner));
    return Object.fromEntries(wanted.map(([name, inner]) => [name, sampleOf(inner)]));
  }
  if (type === 'string') return '';
  if (type === 'integer' || type === 'number') return typeof schema['minimum'] === 'number' ? schema['minimum'] : 0;
  if (type === 'boolean') return false;
  return type === 'array' ? [] : {};
}

/** Fields of several parts are left out: most may be, and the server says which may not. */
function isSimple({ type, enum: choices, default: given }: Readonly<Record<string, unknown>>): boolean {
  if (given !== undefined) return false;
  return Array.isArray(choices) || type === 'string' || type === 'integer' || type === 'number' || type === 'boolean';
}
