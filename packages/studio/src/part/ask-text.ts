import type { AskJson } from '@holdfast/server/client';
import { isFields } from './copy/copy-forms.ts';

/** A question as one reads it. */
export interface QuestionText {
  readonly text: string;
  /** What kind of answer it takes: `yes or no, note`. */
  readonly form: string;
}

const textFields = ['question', 'title', 'text', 'message', 'prompt', 'summary', 'reason'];

/** What a question says. What is shown with it has the words, if any; otherwise its name and its facts have to do. */
export function questionOf({
  show,
  name,
  answerSchema,
}: Pick<AskJson, 'show' | 'name' | 'answerSchema'>): QuestionText {
  return { text: shownText(show, name), form: formOf(answerSchema) };
}

/** What a question shows, in words; its name if there are none. */
export function shownText(show: unknown, name: string): string {
  if (typeof show === 'string' && show !== '') return show;
  if (!isFields(show)) return name;
  const worded = textFields.map((field) => show[field]).find((value) => typeof value === 'string' && value !== '');
  if (typeof worded === 'string') return worded;
  const facts = Object.entries(show).flatMap(([field, value]) => (isShort(value) ? [`${field} ${value}`] : []));
  return facts.length === 0 ? name : `${name}: ${facts.slice(0, 4).join(', ')}`;
}

function isShort(value: unknown): value is string | number | boolean {
  return typeof value === 'number' || typeof value === 'boolean' || (typeof value === 'string' && value.length <= 40);
}

/** The form of an answer in a few words. */
function formOf(schema: unknown): string {
  if (!isFields(schema)) return 'JSON';
  const { type, enum: choices, properties } = schema;
  if (Array.isArray(choices)) return `one of ${choices.length}`;
  if (type === 'boolean') return 'yes or no';
  if (isFields(properties)) {
    const names = Object.entries(properties).map(([name, inner]) =>
      isFields(inner) && inner['type'] === 'boolean' ? 'yes or no' : name,
    );
    return names.slice(0, 3).join(', ') + (names.length > 3 ? ', …' : '');
  }
  return typeof type === 'string' ? type : 'JSON';
}
