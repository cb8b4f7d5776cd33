import { counted } from './counted.ts';

/** Formats a number of bytes: `1.4 MB`. */
export function byteText(bytes: number): string {
  if (bytes < 1_000) return counted(bytes, 'byte');
  const units = ['kB', 'MB', 'GB', 'TB'];
  let value = bytes / 1_000;
  let unit = 0;
  while (value >= 1_000 && unit < units.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  return `${value.toFixed(1)} ${units[unit]}`;
}
