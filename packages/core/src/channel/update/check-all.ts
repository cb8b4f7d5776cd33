import type { Awaitable } from '../../async/awaitable.ts';
import { allProblems } from './channel-error.ts';

/**
 * Checks items in order. Returns the results synchronously if every check is synchronous. If several fail, throws one error
 * that names all problems.
 */
export function checkAll<T, R>(
  items: readonly T[],
  check: (item: T, index: number) => Awaitable<R>,
): Awaitable<readonly R[]> {
  const results: Awaitable<R>[] = [];
  const errors: unknown[] = [];
  let isWaiting = false;
  for (const [index, item] of items.entries()) {
    try {
      const result = check(item, index);
      isWaiting ||= result instanceof Promise;
      results.push(result);
    } catch (error) {
      errors.push(error);
    }
  }
  if (isWaiting) return settleAll(results, errors);
  if (errors.length > 0) throw allProblems(errors);
  return results as readonly R[];
}

async function settleAll<R>(results: readonly Awaitable<R>[], errors: readonly unknown[]): Promise<readonly R[]> {
  const values: R[] = [];
  const problems = [...errors];
  for (const settled of await Promise.allSettled(results)) {
    if (settled.status === 'rejected') problems.push(settled.reason);
    else values.push(settled.value);
  }
  if (problems.length > 0) throw allProblems(problems);
  return values;
}
