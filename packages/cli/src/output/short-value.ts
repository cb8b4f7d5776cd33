import { inspect } from 'node:util';
import { oneLine, shortened } from './printable.ts';

/** Formats a value in one line of at most `width` characters. */
export function shortValue(value: unknown, width = 80): string {
  const text = inspect(value, { compact: true, breakLength: Number.POSITIVE_INFINITY, depth: 3, maxStringLength: 200 });
  return shortened(oneLine(text), width);
}

/** Formats the fields of an object as on a command line: `ok=false note='late'`. */
export function shortFields(value: unknown, width = 60): string {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return shortValue(value, width);
  // Each field takes at least two characters: the others would be cut.
  const shown = Object.entries(value).slice(0, width);
  const fields = shown.map(([key, each]) => `${oneLine(key)}=${shortValue(each, width)}`);
  return shortened(fields.join(' '), width);
}
