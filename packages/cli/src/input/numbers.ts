import { CliError } from '../failure/cli-error.ts';

/** A whole number from 0 on. */
export function parseCount(text: string, name: string): number {
  const count = /^\d{1,15}$/u.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(count)) throw CliError.usage(`${name} is a number: 0, 1, 2, …; ${text} is none.`);
  return count;
}

/** `--limit`; undefined for all. */
export function parseLimit(text: string | undefined, otherwise: number): number | undefined {
  const limit = text === undefined ? otherwise : parseCount(text, '--limit');
  return limit === 0 ? undefined : limit;
}
