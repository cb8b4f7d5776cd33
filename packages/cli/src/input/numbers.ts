import { CliError } from '../failure/cli-error.ts';

/** Parses an integer of at least 0. */
export function parseCount(text: string, name: string): number {
  const count = /^\d{1,15}$/u.test(text) ? Number(text) : Number.NaN;
  if (!Number.isSafeInteger(count)) throw CliError.usage(`${name} must be an integer of at least 0, not "${text}".`);
  return count;
}

/** Parses `--limit`; undefined means no limit. */
export function parseLimit(text: string | undefined, otherwise: number): number | undefined {
  const limit = text === undefined ? otherwise : parseCount(text, '--limit');
  return limit === 0 ? undefined : limit;
}
