import type { ChangeJson, Json } from '@holdfast/server/client';

/** A line of a diff. */
export type DiffRow =
  | { readonly kind: 'heading'; readonly path: string; readonly fact: string }
  | { readonly kind: 'removed' | 'added'; readonly parts: readonly DiffPart[] }
  | { readonly kind: 'cut'; readonly text: string };

/** A piece of a line; the part that differs is marked stronger. */
export interface DiffPart {
  readonly text: string;
  readonly isChanged: boolean;
}

const mostLines = 60;

/** The lines of a diff, under a heading for each change. */
export function diffRows(changes: readonly ChangeJson[]): readonly DiffRow[] {
  return changes.flatMap((change): readonly DiffRow[] => {
    const { op, path, before, after } = change;
    const heading: DiffRow = { kind: 'heading', path: path === '' ? '/' : path, fact: factOf(op) };
    if (op === 'add') return [heading, ...linesOf(after, 'added')];
    if (op === 'remove') return [heading, ...linesOf(before, 'removed')];
    const left = jsonLines(before);
    const right = jsonLines(after);
    if (left.length !== 1 || right.length !== 1)
      return [heading, ...linesOf(before, 'removed'), ...linesOf(after, 'added')];
    const [removed, added] = wordDiff(left[0] ?? '', right[0] ?? '');
    return [heading, { kind: 'removed', parts: removed }, { kind: 'added', parts: added }];
  });
}

function factOf(op: ChangeJson['op']): string {
  return op === 'add' ? 'added' : op === 'remove' ? 'removed' : '';
}

function linesOf(value: Json | undefined, kind: 'added' | 'removed'): readonly DiffRow[] {
  const lines = jsonLines(value);
  const rows: DiffRow[] = lines.slice(0, mostLines).map((text) => ({ kind, parts: [{ text, isChanged: false }] }));
  return lines.length > mostLines
    ? [...rows, { kind: 'cut', text: `${(lines.length - mostLines).toLocaleString('en-US')} more lines` }]
    : rows;
}

/** JSON as it reads best: short values on one line, names without quotes. */
export function jsonLines(value: Json | undefined): readonly string[] {
  if (value === undefined) return ['not set'];
  const flat = inline(value);
  if (flat.length <= 60) return [flat];
  return JSON.stringify(value, null, 2)
    .split('\n')
    .map((line) => line.replace(/^(\s*)"([A-Za-z_$][\w$]*)":/u, '$1$2:'));
}

function inline(value: Json): string {
  if (Array.isArray(value)) return value.length === 0 ? '[]' : `[${value.map(inline).join(', ')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value).map(
    ([name, each]) => `${/^[A-Za-z_$][\w$]*$/u.test(name) ? name : JSON.stringify(name)}: ${inline(each)}`,
  );
  return fields.length === 0 ? '{}' : `{ ${fields.join(', ')} }`;
}

/** Two lines with what they have in common at both ends left unmarked; words are not cut in the middle. */
export function wordDiff(before: string, after: string): readonly [readonly DiffPart[], readonly DiffPart[]] {
  const left = tokens(before);
  const right = tokens(after);
  let start = 0;
  while (start < left.length && start < right.length && left[start] === right[start]) start += 1;
  let end = 0;
  while (
    end < left.length - start &&
    end < right.length - start &&
    left[left.length - 1 - end] === right[right.length - 1 - end]
  )
    end += 1;
  return [parts(left, start, end), parts(right, start, end)];
}

function tokens(text: string): readonly string[] {
  return text.match(/[\p{L}\p{N}_]+|\s+|[^\p{L}\p{N}_\s]/gu) ?? [];
}

function parts(words: readonly string[], start: number, end: number): readonly DiffPart[] {
  const pieces = [
    { text: words.slice(0, start).join(''), isChanged: false },
    { text: words.slice(start, words.length - end).join(''), isChanged: true },
    { text: words.slice(words.length - end).join(''), isChanged: false },
  ];
  return pieces.filter(({ text }) => text !== '');
}
