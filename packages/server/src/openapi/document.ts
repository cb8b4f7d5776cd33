import { z } from 'zod';
import type { Json } from '../json/plain.ts';
import type { Route } from '../route/route.ts';
import { errorSchema } from '../schema/command.ts';
import { countBounds, nothing } from '../schema/common.ts';

type Fields = Readonly<Record<string, Json>>;
/** A JSON Schema, as far as we read it. */
interface ObjectSchema {
  readonly properties?: Readonly<Record<string, Json>>;
  readonly required?: readonly string[];
}

/** The OpenAPI 3.1 document of routes, made of the schemas that check them. */
export function openApiOf(routes: readonly Route[]): Fields {
  const schemas = new Map<string, Json>();
  const paths: Record<string, Record<string, Json>> = {};
  for (const route of routes) {
    const path = `/api/v1${route.path}`;
    paths[path] = { ...paths[path], [route.method]: operationOf(route, schemas) };
  }
  return {
    openapi: '3.1.0',
    info: {
      title: 'Holdfast',
      version: '1',
      description: 'Runs, their questions and their history. Plain JSON; times are ISO 8601.',
    },
    paths,
    components: {
      schemas: Object.fromEntries([...schemas].toSorted(([a], [b]) => (a < b ? -1 : 1))),
      securitySchemes: { token: { type: 'http', scheme: 'bearer' } },
    },
  };
}

function operationOf(route: Route, schemas: Map<string, Json>): Json {
  const {
    id,
    summary,
    access,
    params,
    query,
    headers = nothing,
    body,
    rawBody,
    response,
    unavailable,
    status = 200,
  } = route;
  const type = typeof response === 'string' ? response : 'application/json';
  const content = {
    [type]: { schema: typeof response === 'string' ? { type: 'string' } : schemaOf(response, schemas) },
  };
  return {
    operationId: id,
    summary,
    ...(access === 'admin' && { description: 'Only for administrators.' }),
    security: access === 'public' ? [] : [{ token: [] }],
    parameters: [...parametersOf(params, 'path'), ...parametersOf(query, 'query'), ...parametersOf(headers, 'header')],
    ...(body !== undefined && {
      requestBody: { required: true, content: { 'application/json': { schema: schemaOf(body, schemas, 'input') } } },
    }),
    ...(rawBody !== undefined && {
      requestBody: { required: true, content: { [rawBody]: { schema: { type: 'string' } } } },
    }),
    responses: {
      [String(status)]: { description: 'Done.', content },
      ...(unavailable !== undefined && {
        503: {
          description: 'Unavailable.',
          content: { 'application/json': { schema: schemaOf(unavailable, schemas) } },
        },
      }),
      default: { description: 'Refused.', content: { 'application/json': { schema: schemaOf(errorSchema, schemas) } } },
    },
  };
}

function parametersOf(schema: z.ZodType, where: 'path' | 'query' | 'header'): readonly Json[] {
  const { properties = {}, required = [] } = plainSchema(schema, 'input') as ObjectSchema;
  return Object.entries(properties).map(([name, each]) => ({
    name,
    in: where,
    required: where === 'path' || required.includes(name),
    schema: each,
  }));
}

function plainSchema(schema: z.ZodType, io: 'input' | 'output'): Fields {
  const made = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ zodSchema, jsonSchema }) => {
      const bounds = countBounds.get(zodSchema);
      if (bounds === undefined) return;
      for (const key of Object.keys(jsonSchema)) delete jsonSchema[key];
      Object.assign(jsonSchema, { type: 'integer', ...bounds });
    },
  }) as Fields;
  return Object.fromEntries(Object.entries(made).filter(([key]) => key !== '$schema'));
}

/** A schema that names its parts. The parts go to the components of the document. */
function schemaOf(schema: z.ZodType, schemas: Map<string, Json>, io: 'input' | 'output' = 'output'): Json {
  const {
    $defs = {},
    id,
    ...own
  } = plainSchema(schema, io) as Fields & { readonly $defs?: Fields; readonly id?: string };
  for (const [name, part] of Object.entries($defs)) if (!schemas.has(name)) schemas.set(name, renamed(part));
  if (id === undefined) return renamed(own);
  schemas.set(id, renamed(own));
  return { $ref: `#/components/schemas/${id}` };
}

/** References lead to the components, not to the schema's own parts. */
function renamed(value: Json): Json {
  if (Array.isArray(value)) return value.map(renamed);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, each]) =>
      key === '$ref' && typeof each === 'string'
        ? [key, each.replace('#/$defs/', '#/components/schemas/')]
        : [key, renamed(each)],
    ),
  );
}
