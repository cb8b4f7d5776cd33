import { holdfastError } from '../errors/holdfast-error.ts';

/**
 * Milliseconds, or a number with a unit: `'500ms'`, `'1.5s'`, `'10m'`, `'2h'`, `'7d'`.
 *
 * @example
 * ```ts
 * const lease: Duration = '10s'; // a number is milliseconds
 * const opened = await openEngine('memory:', { lease });
 * ```
 */
export type Duration = number | `${number}${'ms' | 's' | 'm' | 'h' | 'd'}`;

const unitsMs: ReadonlyMap<string | undefined, number> = new Map([
  ['ms', 1],
  ['s', 1_000],
  ['m', 60_000],
  ['h', 3_600_000],
  ['d', 86_400_000],
]);
/** More than 100,000 years. That long after now there still is a `Date`, and a time that every store can keep. */
const longestMs = 4e15;
const pattern = /^(\d{1,15}(?:\.\d{1,15})?)(ms|[smhd])$/;

/**
 * Converts a duration to milliseconds. Durations that are longer than anything lasts are shortened. The error names the option that it was given as.
 *
 * @throws HOLDFAST_INVALID_OPTION
 */
export function durationMs(value: unknown, option?: string): number {
  const ms = typeof value === 'string' ? parse(value) : value;
  if (typeof ms === 'number' && ms >= 0 && ms <= Number.MAX_SAFE_INTEGER) return Math.min(ms, longestMs);
  const shown =
    typeof value === 'string' ? JSON.stringify(value.slice(0, 60)) : typeof value === 'number' ? value : typeof value;
  throw holdfastError(
    'HOLDFAST_INVALID_OPTION',
    `Invalid duration${option === undefined ? '' : ` for ${option}`}: ${shown}. Use milliseconds, or a number followed by ms, s, m, h or d, such as '10m'.`,
    { ...(option !== undefined && { details: { option } }) },
  );
}

function parse(text: string): number | undefined {
  const [, amount, unit] = pattern.exec(text) ?? [];
  const unitMs = unitsMs.get(unit);
  return amount === undefined || unitMs === undefined ? undefined : Math.round(Number(amount) * unitMs);
}
