import { CliError } from '../failure/cli-error.ts';

const unitsMs: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 };

/** Parses `10s`, `2h` or `30d` to milliseconds. */
export function durationMs(text: string, name: string): number {
  const [, amount, unit = ''] = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)$/u.exec(text) ?? [];
  const unitMs = unitsMs[unit];
  if (amount === undefined || unitMs === undefined) {
    throw CliError.usage(`${name} must be a number followed by ms, s, m, h or d, such as 10m, not "${text}".`);
  }
  return Math.round(Number(amount) * unitMs);
}
