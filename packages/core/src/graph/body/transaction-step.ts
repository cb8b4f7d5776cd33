import type { StepFn, StepInfo } from '../step-fn.ts';

/** Work on the user's own tables, with the client of the store's driver. */
export type TransactionWork = (client: unknown, info: StepInfo) => unknown;

/** The work of each function that `transaction` returned. */
const works = new WeakMap<object, TransactionWork>();

/** The body of a step whose work commits together with its result. */
export function markTransaction<T>(work: (client: unknown, info: StepInfo) => T | Promise<T>): StepFn<T> {
  const body = calledAlone.bind(undefined);
  works.set(body, work);
  return body;
}

function calledAlone(): never {
  throw new TypeError('transaction(fn) is the body of a step: step(name, transaction(fn)).');
}

/** The work inside what `transaction` returned; undefined for any other body. */
export function transactionOf(body: object): TransactionWork | undefined {
  return works.get(body);
}
