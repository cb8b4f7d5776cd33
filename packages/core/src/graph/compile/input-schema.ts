import { jsonSchemaOf } from '../../channel/json-schema.ts';
import type { CompiledGraph } from './compiled-graph.ts';

/** The JSON Schema of a graph's input, as far as its schemas can be expressed in it. */
export function inputSchemaOf({ input, channels }: CompiledGraph): unknown {
  if (input !== undefined) return jsonSchemaOf(input);
  const known = [...channels].flatMap(([name, { updateSchema }]) => {
    const schema = updateSchema?.();
    return schema === undefined ? [] : [[name, schema] as const];
  });
  return { type: 'object', properties: Object.fromEntries(known) };
}
