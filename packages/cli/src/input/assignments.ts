import { CliError } from '../failure/cli-error.ts';

/** The part of JSON Schema that we read. */
type JsonSchema = Readonly<Record<string, unknown>>;

/**
 * Parses `k=v` arguments to an object. Values are JSON if they parse as JSON, and text otherwise or if the schema says
 * that the field is text. `a.b=1` sets a nested field.
 */
export function parseAssignments(args: readonly string[], schema?: unknown): Readonly<Record<string, unknown>> {
  const result: Record<string, unknown> = Object.create(null) as Record<string, unknown>;
  for (const arg of args) {
    const at = arg.indexOf('=');
    if (at < 1) throw CliError.usage(`Invalid argument "${arg}". Write it as name=value.`);
    const path = arg.slice(0, at).split('.');
    assign(result, path, parseValue(arg.slice(at + 1), fieldSchema(schema, path)));
  }
  return { ...result };
}

/**
 * Parses the `k=v` arguments of a whole value whose schema may be a scalar: then `approval=true`, named after what it is a value
 * of, is the value itself.
 */
export function parseNamedValue(args: readonly string[], name: string, schema: unknown): unknown {
  const types = typesOf(schema);
  if (hasFields(schema)) return parseAssignments(args, schema);
  const [only = '', ...others] = args;
  if (others.length > 0 || !only.startsWith(`${name}=`))
    throw CliError.usage(`"${name}" takes one value without fields (${types.join(' or ')}). Write ${name}=VALUE.`);
  return parseValue(only.slice(name.length + 1), schema);
}

/** Whether a value may have fields: its schema allows an object, or does not say. */
export function hasFields(schema: unknown): boolean {
  const types = typesOf(schema);
  return types.length === 0 || types.includes('object');
}

/** Whether the schema of a value names this field. */
export function namesField(schema: unknown, field: string): boolean {
  return fieldSchema(schema, [field]) !== undefined;
}

function assign(into: Record<string, unknown>, path: readonly string[], value: unknown): void {
  const [key = '', ...rest] = path;
  if (rest.length === 0) {
    Object.defineProperty(into, key, { value, enumerable: true, configurable: true, writable: true });
    return;
  }
  const known = Object.hasOwn(into, key) ? into[key] : undefined;
  const inner = typeof known === 'object' && known !== null ? { ...known } : {};
  assign(inner, rest, value);
  assign(into, [key], inner);
}

function parseValue(text: string, schema?: unknown): unknown {
  const types = typesOf(schema);
  if (types.length > 0 && types.every((type) => type === 'string')) return text;
  try {
    const value: unknown = JSON.parse(text);
    // 81 for a text or a list of texts is the text "81".
    return types.includes('string') && !types.some((type) => isOfType(value, type)) ? text : value;
  } catch {
    return text;
  }
}

/** Whether a JSON value has a type of JSON Schema. */
function isOfType(value: unknown, type: string): boolean {
  if (value === null || Array.isArray(value)) return type === (value === null ? 'null' : 'array');
  if (type === 'integer') return Number.isInteger(value);
  return typeof value === type;
}

/** Parses text that must be JSON, such as `--input`. */
export function parseJson(text: string, what: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch (error) {
    throw CliError.usage(`${what} is not valid JSON: ${(error as Error).message}.`, { cause: error });
  }
}

function fieldSchema(schema: unknown, path: readonly string[]): unknown {
  let found = schema;
  for (const key of path) found = propertiesOf(found)[key];
  return found;
}

/** The fields of an object schema. */
export function propertiesOf(schema: unknown): Readonly<Record<string, unknown>> {
  const properties = isSchema(schema) ? schema['properties'] : undefined;
  return isSchema(properties) ? properties : {};
}

/** The JSON types that a schema allows. Empty if it does not say. */
export function typesOf(schema: unknown): readonly string[] {
  if (!isSchema(schema)) return [];
  const { type, anyOf, oneOf } = schema;
  if (typeof type === 'string') return [type];
  if (Array.isArray(type)) return type.map(String);
  const choices: readonly unknown[] = Array.isArray(anyOf) ? anyOf : Array.isArray(oneOf) ? oneOf : [];
  const types = choices.map(typesOf);
  // A choice of any type leaves all open.
  return types.some((each) => each.length === 0) ? [] : types.flat();
}

/** Whether this can be read as a JSON Schema object. */
export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
