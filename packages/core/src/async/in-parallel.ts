/** Calls a function with every item, at most so many at the same time, and returns what became of each. */
export async function settleAll<T, R>(
  items: readonly T[],
  most: number,
  call: (item: T) => Promise<R>,
): Promise<readonly PromiseSettledResult<R>[]> {
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
  await Promise.all(Array.from({ length: Math.min(most, items.length) }, work));
  return settled;
}

/** The same when all have to succeed. The first failure is thrown once all have settled. */
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

/** What was thrown by those that failed. */
export function failuresOf(settled: readonly PromiseSettledResult<unknown>[]): readonly unknown[] {
  return settled.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
}
