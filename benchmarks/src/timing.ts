/** The middle of a list of numbers: one slow round of a noisy machine does not move it. */
export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1
    ? (sorted[middle] ?? Number.NaN)
    : ((sorted[middle - 1] ?? 0) + (sorted[middle] ?? 0)) / 2;
}

/** How long one call takes in µs, over so many calls. */
export function microsPerCall(calls: number, call: (index: number) => void): number {
  const startedAt = performance.now();
  for (let index = 0; index < calls; index += 1) call(index);
  return ((performance.now() - startedAt) * 1000) / calls;
}

/** The same for calls that are awaited one after another. */
export async function microsPerAwait(calls: number, call: (index: number) => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  for (let index = 0; index < calls; index += 1) await call(index);
  return ((performance.now() - startedAt) * 1000) / calls;
}
