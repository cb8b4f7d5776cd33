/** Calls a function with every item, at most `most` at a time, and returns how each settled. */
export async function settleAll<T, R>(
  items: readonly T[],
  most: number,
  call: (item: T) => Promise<R>,
): Promise<readonly PromiseSettledResult<R>[]> {
  if (items.length <= most) return Promise.allSettled(items.map(call));
  const settled: PromiseSettledResult<R>[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < items.length) {
      const index = next;
      next += 1;
      try {
        settled[index] = { status: 'fulfilled', value: await call(items[index] as T) };
      } catch (reason) {
        settled[index] = { status: 'rejected', reason };
      }
    }
  };
  await Promise.all(Array.from({ length: most }, work));
  return settled;
}

/** Like settleAll(), but returns the results. Throws the first failure once all have settled. */
export async function inParallel<T, R>(
  items: readonly T[],
  most: number,
  call: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  const settled = await settleAll(items, most, call);
  return settled.map((outcome) => {
    if (outcome.status === 'rejected') throw outcome.reason;
    return outcome.value;
  });
}

/** The errors of the calls that failed. */
export function failuresOf(settled: readonly PromiseSettledResult<unknown>[]): readonly unknown[] {
  return settled.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
}
