const units: readonly (readonly [string, number])[] = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['m', 60_000],
  ['s', 1_000],
];

/** Formats a duration in its largest unit: `8m`. */
export function shortDuration(ms: number): string {
  const [unit, unitMs] = units.find(([, each]) => Math.abs(ms) >= each) ?? ['ms', 1];
  return `${Math.floor(Math.abs(ms) / unitMs)}${unit}`;
}

/** Formats a relative time: `8m ago`, `in 3d`, `now`. */
export function relativeTime(at: Date, now: number): string {
  const ms = now - at.getTime();
  if (Math.abs(ms) < 1_000) return 'now';
  return ms > 0 ? `${shortDuration(ms)} ago` : `in ${shortDuration(ms)}`;
}
