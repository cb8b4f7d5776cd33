// The only file that loads the prompt library, and only when a terminal needs it.
import { confirm, isCancel, note, select, text } from '@clack/prompts';
import type { OpenAsk } from 'holdfast';
import { CliError } from '../failure/cli-error.ts';
import { oneLine, printable } from '../output/printable.ts';
import { shortFields } from '../output/short-value.ts';
import { isSchema, parseJson, propertiesOf, typesOf } from './assignments.ts';

/** Ctrl-C or Escape in a form. */
function given<T>(value: T): Exclude<T, symbol> {
  if (isCancel(value)) throw CliError.interrupted();
  return value as Exclude<T, symbol>;
}

/** Asks which of several questions to answer. */
export async function chooseAsk(asks: readonly OpenAsk[]): Promise<OpenAsk> {
  const chosen = await select({
    message: 'Which question?',
    options: asks.map((ask) => ({
      value: ask.id,
      label: `${printable(ask.name)} (${printable(ask.node)})`,
      hint: shortFields(ask.show, 60),
    })),
  });
  const id = given(chosen);
  return asks.find((ask) => ask.id === id) as OpenAsk;
}

/** Asks for confirmation. */
export async function confirmed(message: string): Promise<boolean> {
  return given(await confirm({ message, initialValue: false }));
}

/** Asks for an answer, one field at a time if it has a JSON Schema, otherwise as JSON. */
export async function askWithForm({ name, runId, show, answerSchema }: OpenAsk): Promise<unknown> {
  note(shortFields(show, 400), printable(`${name} of ${runId}`));
  return askValue('answer', answerSchema, { isOptional: false });
}

interface FieldOptions {
  readonly isOptional: boolean;
}

async function askValue(label: string, schema: unknown, options: FieldOptions): Promise<unknown> {
  const properties = Object.entries(propertiesOf(schema));
  if (properties.length > 0) return askObject(schema, properties);
  const message = messageOf(label, schema, options);
  const choices = isSchema(schema) ? schema['enum'] : undefined;
  if (Array.isArray(choices)) {
    return given(
      await select({
        message,
        options: choices.map((value: unknown) => ({ value: value as string, label: oneLine(String(value)) })),
      }),
    );
  }
  const types = typesOf(schema).filter((type) => type !== 'null');
  if (types.length === 1 && types[0] === 'boolean') return given(await confirm({ message }));
  return askText(message, types, options);
}

async function askObject(schema: unknown, properties: readonly (readonly [string, unknown])[]): Promise<unknown> {
  const required = isSchema(schema) && Array.isArray(schema['required']) ? schema['required'] : [];
  const answer: [string, unknown][] = [];
  for (const [key, field] of properties) {
    const value = await askValue(key, field, { isOptional: !required.includes(key) });
    if (value !== undefined) answer.push([key, value]);
  }
  return Object.fromEntries(answer);
}

async function askText(message: string, types: readonly string[], { isOptional }: FieldOptions): Promise<unknown> {
  const isText = types.length === 1 && types[0] === 'string';
  const isNumber = types.length > 0 && types.every((type) => type === 'number' || type === 'integer');
  const check = (value = ''): string | undefined => {
    if (value === '') return isOptional || isText ? undefined : 'Enter a value.';
    if (isText) return undefined;
    if (isNumber) return Number.isFinite(Number(value)) ? undefined : 'Enter a number.';
    try {
      JSON.parse(value);
      return undefined;
    } catch {
      return 'Enter JSON: "text", 1, true, [1, 2], {"a": 1}.';
    }
  };
  const shown = isText || isNumber ? message : `${message} (JSON)`;
  const value = given(await text({ message: shown, validate: check }));
  if (value === '' && isOptional) return undefined;
  if (isText) return value;
  return isNumber ? Number(value) : parseJson(value, message);
}

function messageOf(label: string, schema: unknown, { isOptional }: FieldOptions): string {
  const description = isSchema(schema) ? schema['description'] : undefined;
  const more = typeof description === 'string' ? `: ${oneLine(description)}` : '';
  return `${printable(label)}${isOptional ? ' (optional)' : ''}${more}`;
}
