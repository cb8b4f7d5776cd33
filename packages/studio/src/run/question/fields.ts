// A form from a schema: its fields, what they say, and the value that they make.
import type { Json } from '@holdfast/server/client';
import { isFields } from '../fold/payload.ts';
import type { Schema } from './schema.ts';

/** How a field is filled in. */
type Widget = 'choice' | 'select' | 'text' | 'area' | 'number' | 'group' | 'list' | 'json';

/** A field of a form. */
export interface Field {
  /** A JSON pointer into the value; empty for the value itself. */
  readonly path: string;
  readonly name: string;
  readonly label: string;
  /** What it takes, in a few words: `1 to 8990, optional`. */
  readonly hint: string;
  readonly widget: Widget;
  readonly isRequired: boolean;
  readonly schema: Schema;
  readonly options: readonly FieldOption[];
  readonly fields: readonly Field[];
}

/** A choice. */
interface FieldOption {
  readonly label: string;
  readonly value: Json;
}

/** What the viewer has filled in: texts of inputs, values of choices. Absent: untouched, and no part of the value. */
export type Draft = Readonly<Record<string, Json | undefined>>;

const fewOptions = 4;
const longText = 120;
const deepest = 4;

/** The fields of a schema. One that no form can show is a field for JSON. */
export function fieldsOf(schema: Schema): readonly Field[] {
  if (schema.type === 'object' && schema.properties.length > 0)
    return schema.properties.map(([name, each, isRequired]) =>
      fieldOf(each, { path: `/${escaped(name)}`, name, isRequired, depth: 0 }),
    );
  return [fieldOf(schema, { path: '', name: '', isRequired: true, depth: 0 })];
}

interface Position {
  readonly path: string;
  readonly name: string;
  readonly isRequired: boolean;
  readonly depth: number;
}

function fieldOf(schema: Schema, { path, name, isRequired, depth }: Position): Field {
  const widget = widgetOf(schema, { name, depth });
  const fields =
    widget === 'group'
      ? schema.properties.map(([inner, each, required]) =>
          fieldOf(each, { path: `${path}/${escaped(inner)}`, name: inner, isRequired: required, depth: depth + 1 }),
        )
      : [];
  return {
    path,
    name,
    label: labelOf(schema, name),
    hint: hintOf(schema, name, isRequired),
    widget,
    isRequired,
    schema,
    options: optionsOf(schema),
    fields,
  };
}

function widgetOf(schema: Schema, { name, depth }: Pick<Position, 'name' | 'depth'>): Widget {
  const { type, choices, isPartial } = schema;
  if (isPartial || depth > deepest) return 'json';
  if (choices !== undefined) return choices.length <= fewOptions ? 'choice' : 'select';
  if (type === 'boolean') return 'choice';
  if (type === 'integer' || type === 'number') return 'number';
  if (type === 'string') return isLong(schema, name) ? 'area' : 'text';
  if (type === 'object' && schema.properties.length > 0) return 'group';
  const item = schema.items;
  if (type === 'array' && item !== undefined && !item.isPartial && item.choices === undefined && item.type === 'string')
    return 'list';
  return 'json';
}

const longNames = /note|comment|reason|description|message|text|body|content/iu;

function isLong({ maxLength, format }: Schema, name: string): boolean {
  if (format !== undefined) return false;
  return maxLength === undefined ? longNames.test(name) : maxLength > longText;
}

function labelOf({ title, description }: Schema, name: string): string {
  if (title !== undefined) return title;
  if (description !== undefined && description.length <= 60) return capitalized(description);
  return wordsIn(name);
}

/** The name of a field as a label: `dueDate` is "Due date". */
function wordsIn(name: string): string {
  const words = name
    .replaceAll(/([a-z\d])([A-Z])/gu, '$1 $2')
    .replaceAll(/[_-]+/gu, ' ')
    .toLowerCase();
  return words === '' ? 'Answer' : capitalized(words);
}

function capitalized(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** What a field takes, in a few words. */
function hintOf(schema: Schema, name: string, isRequired: boolean): string {
  // A label that has the name in it says it already.
  const key = labelOf(schema, name).toLowerCase().includes(wordsIn(name).toLowerCase()) ? '' : name;
  const parts = [key, boundsOf(schema), isRequired ? '' : 'optional'];
  return parts.filter((part) => part !== '').join(', ');
}

function boundsOf({ type, minimum, maximum, minLength, maxLength, format }: Schema): string {
  if (type === 'integer' || type === 'number') {
    if (minimum !== undefined && maximum !== undefined) return `${minimum} to ${maximum}`;
    if (minimum !== undefined) return `at least ${minimum}`;
    return maximum === undefined ? '' : `at most ${maximum}`;
  }
  if (format !== undefined) return format;
  if (type !== 'string' || (maxLength === undefined && (minLength ?? 0) <= 1)) return '';
  return maxLength === undefined ? `at least ${minLength} characters` : `at most ${maxLength} characters`;
}

function optionsOf({ type, choices, isNullable }: Schema): readonly FieldOption[] {
  const given: FieldOption[] =
    choices === undefined
      ? type === 'boolean'
        ? [
            { label: 'Yes', value: true },
            { label: 'No', value: false },
          ]
        : []
      : choices.map((value) => ({ label: typeof value === 'string' ? value : JSON.stringify(value), value }));
  return given.length > 0 && isNullable ? [...given, { label: 'None', value: null }] : given;
}

/** What the fields show before anybody fills them in. */
export function draftOf(fields: readonly Field[], value?: Json): Draft {
  const draft: Record<string, Json | undefined> = {};
  for (const field of fields) {
    const at = field.path === '' ? value : valueAt(value, field.path);
    const shown = at === undefined ? field.schema.default : at;
    if (field.widget === 'group') Object.assign(draft, draftOf(field.fields, value));
    else if (shown !== undefined) draft[field.path] = shownAs(field.widget, shown);
    else if (field.schema.choices?.length === 1 && field.isRequired) draft[field.path] = field.schema.choices[0];
  }
  return draft;
}

function shownAs(widget: Widget, value: Json): Json {
  if (widget === 'json') return JSON.stringify(value, null, 2);
  return widget === 'number' ? JSON.stringify(value) : value;
}

function valueAt(value: Json | undefined, path: string): Json | undefined {
  let found = value;
  for (const part of path.split('/').slice(1)) {
    if (!isFields(found)) return undefined;
    found = found[part.replaceAll('~1', '/').replaceAll('~0', '~')];
  }
  return found;
}

function escaped(name: string): string {
  return name.replaceAll('~', '~0').replaceAll('/', '~1');
}
