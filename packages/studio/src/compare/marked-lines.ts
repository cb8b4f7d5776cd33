import type { Json } from '@holdfast/server/client';

/** A piece of a line; the part that differs is marked stronger. */
export interface DiffPart {
  readonly text: string;
  readonly isChanged: boolean;
}

const longestLine = 60;

/** JSON as it reads best: short values on one line, names without quotes. */
export function jsonLines(value: Json | undefined): readonly string[] {
  if (value === undefined) return ['not set'];
  const flat = inline(value);
  if (flat.length <= longestLine) return [flat];
  const lines = JSON.stringify(value, null, 2).split('\n');
  return lines.map((line) => line.replace(/^(\s*)"([A-Za-z_$][\w$]*)":/u, '$1$2:'));
}

function inline(value: Json): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(([name, each]) => {
    const isPlain = /^[A-Za-z_$][\w$]*$/u.test(name);
    return `${isPlain ? name : JSON.stringify(name)}: ${inline(each)}`;
  });
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

/** Two lines with what they have in common at both ends left unmarked; words are not cut in the middle. */
export function wordDiff(before: string, after: string): readonly [readonly DiffPart[], readonly DiffPart[]] {
  const left = wordsOf(before);
  const right = wordsOf(after);
  const shorter = Math.min(left.length, right.length);
  let start = 0;
  while (start < shorter && left[start] === right[start]) start += 1;
  let end = 0;
  while (end < shorter - start && left.at(-1 - end) === right.at(-1 - end)) end += 1;
  return [partsOf(left, start, end), partsOf(right, start, end)];
}

function wordsOf(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

function partsOf(words: readonly string[], start: number, end: number): readonly DiffPart[] {
  const until = words.length - end;
  const pieces = [
    { text: words.slice(0, start).join(''), isChanged: false },
    { text: words.slice(start, until).join(''), isChanged: true },
    { text: words.slice(until).join(''), isChanged: false },
  ];
  return pieces.filter(({ text }) => text !== '');
}
