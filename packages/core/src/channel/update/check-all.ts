import type { Awaitable } from '../../async/awaitable.ts';

/**
 * Checks items in order. Returns the results synchronously if every check is synchronous. If several fail, throws the
 * error of the first item in order.
 */
export function checkAll<T, R>(
  items: readonly T[],
  check: (item: T, index: number) => Awaitable<R>,
): Awaitable<readonly R[]> {
  const results: Awaitable<R>[] = [];
  let isWaiting = false;
  try {
    for (const [index, item] of items.entries()) {
      const result = check(item, index);
      isWaiting ||= result instanceof Promise;
      results.push(result);
    }
  } catch (error) {
    // Those still in flight may also fail; handle their rejections.
    void Promise.allSettled(results);
    throw error;
  }
  return isWaiting ? inOrder(results) : (results as readonly R[]);
}

async function inOrder<R>(results: readonly Awaitable<R>[]): Promise<readonly R[]> {
  const values: R[] = [];
  for (const settled of await Promise.allSettled(results)) {
    if (settled.status === 'rejected') throw settled.reason;
    values.push(settled.value);
  }
  return values;
}
