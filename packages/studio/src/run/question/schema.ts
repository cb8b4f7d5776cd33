import type { Json } from '@holdfast/server/client';
import { isFields } from '../fold/payload.ts';

/** A JSON Schema, as far as forms understand it. */
export interface Schema {
  readonly type: string | undefined;
  readonly title: string | undefined;
  readonly description: string | undefined;
  readonly default: Json | undefined;
  readonly choices: readonly Json[] | undefined;
  readonly properties: readonly (readonly [name: string, schema: Schema, isRequired: boolean])[];
  readonly items: Schema | undefined;
  readonly minimum: number | undefined;
  readonly maximum: number | undefined;
  readonly exclusiveMinimum: number | undefined;
  readonly exclusiveMaximum: number | undefined;
  readonly minLength: number | undefined;
  readonly maxLength: number | undefined;
  readonly minItems: number | undefined;
  readonly maxItems: number | undefined;
  readonly pattern: string | undefined;
  readonly format: string | undefined;
  /** May also be null. */
  readonly isNullable: boolean;
  /** It says more than a form can show: only the server knows whether a value fits. */
  readonly isPartial: boolean;
}

const understood: ReadonlySet<string> = new Set(
  `$schema $id title description default type enum const properties required items minimum maximum exclusiveMinimum
   exclusiveMaximum minLength maxLength minItems maxItems pattern format additionalProperties anyOf oneOf examples ~standard
   deprecated readOnly`.split(/\s+/u),
);

/** Reads a JSON Schema. What it cannot read makes it partial. */
export function readSchema(given: Json | undefined): Schema {
  const fields = isFields(given) ? given : {};
  const { choice, isNullable, rest } = alternatives(fields);
  const source = rest ?? fields;
  const type = typeof source['type'] === 'string' ? source['type'] : typeOfList(source['type']);
  const number = (name: string): number | undefined => (typeof source[name] === 'number' ? source[name] : undefined);
  const text = (name: string): string | undefined => {
    const value = fields[name] ?? source[name];
    return typeof value === 'string' ? value : undefined;
  };
  const required = Array.isArray(source['required']) ? source['required'] : [];
  const properties = isFields(source['properties']) ? Object.entries(source['properties']) : [];
  return {
    type,
    title: text('title'),
    description: text('description'),
    default: fields['default'] ?? source['default'],
    choices: choice ?? choicesOf(source),
    properties: properties.map(([name, schema]) => [name, readSchema(schema), required.includes(name)] as const),
    items: source['items'] === undefined ? undefined : readSchema(source['items']),
    minimum: safe(number('minimum')),
    maximum: safe(number('maximum')),
    exclusiveMinimum: number('exclusiveMinimum'),
    exclusiveMaximum: number('exclusiveMaximum'),
    minLength: number('minLength'),
    maxLength: number('maxLength'),
    minItems: number('minItems'),
    maxItems: number('maxItems'),
    pattern: text('pattern'),
    format: text('format'),
    isNullable: isNullable || (Array.isArray(source['type']) && source['type'].includes('null')),
    isPartial:
      Object.keys(source).some((name) => !understood.has(name)) ||
      (rest === undefined && choice === undefined && ('anyOf' in fields || 'oneOf' in fields)),
  };
}

/** The bounds that every whole number has say nothing. */
function safe(bound: number | undefined): number | undefined {
  return bound !== undefined && Math.abs(bound) >= Number.MAX_SAFE_INTEGER ? undefined : bound;
}

function typeOfList(type: Json | undefined): string | undefined {
  const types = Array.isArray(type) ? type.filter((each) => each !== 'null') : [];
  return types.length === 1 && typeof types[0] === 'string' ? types[0] : undefined;
}

function choicesOf(fields: Readonly<Record<string, Json>>): readonly Json[] | undefined {
  if (Array.isArray(fields['enum'])) return fields['enum'] as readonly Json[];
  return 'const' in fields ? [fields['const'] ?? null] : undefined;
}

interface Alternatives {
  readonly choice: readonly Json[] | undefined;
  readonly isNullable: boolean;
  /** What is left if null is the other alternative. */
  readonly rest: Readonly<Record<string, Json>> | undefined;
}

/** `anyOf` and `oneOf`, where they only say "or null" or list constants. */
function alternatives(fields: Readonly<Record<string, Json>>): Alternatives {
  const given = fields['anyOf'] ?? fields['oneOf'];
  if (!Array.isArray(given)) return { choice: undefined, isNullable: false, rest: undefined };
  const all = given.filter((each) => isFields(each));
  const others = all.filter((each) => each['type'] !== 'null');
  const constants = others.map(choicesOf);
  if (constants.every((each) => each !== undefined)) {
    const choice = constants.flat().filter((each) => each !== undefined);
    return { choice, isNullable: others.length < all.length, rest: { type: others[0]?.['type'] ?? 'string' } };
  }
  return {
    choice: undefined,
    isNullable: others.length < all.length,
    rest: others.length === 1 ? others[0] : undefined,
  };
}
