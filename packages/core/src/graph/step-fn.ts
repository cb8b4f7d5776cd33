/**
 * Passed to the body of a step. `key` is stable across attempts, differs in a fork, and is a valid run id. Listeners see
 * the emits of a finished step once, because it does not run again.
 *
 * @example
 * ```ts
 * const charge = ({ key, signal }: StepInfo) => fetch('https://bank.example', { headers: { 'idempotency-key': key }, signal });
 * ```
 */
export interface StepInfo<E = unknown> {
  readonly signal: AbortSignal;
  readonly key: string;
  readonly attempt: number;
  /** Streams data to listeners, like `emit` of the context. */
  readonly emit: (data: E) => void;
}

/** What is stored as it is. `void` is a step without a result. */
type Plain = string | number | bigint | boolean | null | undefined | void | Date | Uint8Array;

/** What is wrong with storing a T, or never. Bounded in depth, so that recursive types compile. */
type Wrong<T, Depth extends 0[] = []> = [unknown] extends [T]
  ? never
  : Depth['length'] extends 4
    ? never
    : T extends Plain
      ? never
      : T extends (...given: never) => unknown
        ? 'a function cannot be stored: return plain data'
        : T extends ReadonlyMap<infer K, infer V>
          ? Wrong<K, [0, ...Depth]> | Wrong<V, [0, ...Depth]>
          : T extends ReadonlySet<infer V>
            ? Wrong<V, [0, ...Depth]>
            : T extends readonly (infer V)[]
              ? Wrong<V, [0, ...Depth]>
              : T extends { readonly [Symbol.toStringTag]: string }
                ? 'an instance of a class cannot be stored: pick the fields you need'
                : { [K in keyof T]-?: Wrong<T[K], [0, ...Depth]> }[keyof T];

type IsWrong<T> = [Wrong<T>] extends [never] ? false : true;

/**
 * `unknown`, which always matches, if a T can be stored; otherwise a message that no function matches. Written so that a T
 * that is not known yet, in a function that wraps `step`, counts as one that can be stored: TypeScript leaves out the branch of a
 * condition that `any` cannot reach.
 */
export type Storable<T> = IsWrong<T> extends true ? Wrong<T> : unknown;

/**
 * The body of a step whose result is a T. For functions that wrap `step`: their callers are then checked as those of `step` are.
 *
 * @example
 * ```ts
 * const retrying = <T>(name: string, fn: StepFn<T>) => step(name, fn, { retry: 3 });
 * ```
 */
export type StepFn<T, E = unknown> = ((info: StepInfo<E>) => T | Promise<T>) & Storable<T>;
