/** A whole number, with commas from 1,000 on. */
export function count(n: number): string {
  return wholeFormat.format(n);
}

/** A number that was not counted to its end says so: `10,000+`. */
export function capped({ count: n, isCut }: { readonly count: number; readonly isCut: boolean }): string {
  return isCut ? `${count(n)}+` : count(n);
}

/** A number with its noun: `1 run`, `2 runs`. */
export function counted(n: number, noun: string, plural = `${noun}s`): string {
  return `${count(n)} ${n === 1 ? noun : plural}`;
}

/** Bytes with one decimal below 100 of a unit: `96.1 MB`, `212 MB`. */
export function bytes(n: number): string {
  let value = n;
  let unit = 0;
  // From 999.5 on the rounded value has a fourth digit.
  while (value >= 999.5 && unit < byteUnits.length - 1) {
    value /= 1_000;
    unit += 1;
  }
  const isWhole = unit === 0 || value >= 99.95;
  return `${isWhole ? Math.round(value) : value.toFixed(1)} ${byteUnits[unit]}`;
}

/** A share in whole percent; what is there is never 0%. */
export function percent(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0%';
  const share = (100 * part) / whole;
  return share < 1 ? '<1%' : `${Math.round(share)}%`;
}

const byteUnits = ['B', 'KB', 'MB', 'GB', 'TB'];
const wholeFormat = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
