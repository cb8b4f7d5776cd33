import { seededRandom } from '../seeded-random.ts';

/**
 * How a call of a faulty driver fails.
 *
 * - `none`: before anything happened, and the driver knows it.
 * - `lost-request`: before anything happened, with a plain error, so that nobody knows.
 * - `lost-answer`: after it happened, with a plain error.
 * - `late-commit`: a commit fails with a plain error and happens later; any other call is a lost request.
 * - `transient-…`: the same, and the driver says that it may succeed if it is tried again.
 * - `poison`, `poison-lost-answer`: before or after it happened, and the driver cannot be trusted any more.
 */
export type FaultKind =
  | PlainFault
  | 'transient-none'
  | 'transient-lost-request'
  | 'transient-lost-answer'
  | 'transient-late-commit'
  | 'poison'
  | 'poison-lost-answer';

type PlainFault = 'none' | 'lost-request' | 'lost-answer' | 'late-commit';

/** The calls of a driver that can be made to fail. */
export type FaultyMethod =
  | 'commit'
  | 'resolveDoubt'
  | 'load'
  | 'records'
  | 'snapshots'
  | 'ids'
  | 'runs'
  | 'claim'
  | 'trim'
  | 'close';

/** A call that may be made to fail. */
export interface FaultyCall {
  readonly method: FaultyMethod;
  /** How many calls of this method there were before it. */
  readonly count: number;
}

/** Says how a call fails; undefined: not at all. */
export type FaultPlan = (call: FaultyCall) => FaultKind | undefined;

/**
 * Fails the calls of each method in turn as its list says; `undefined` in a list and what comes after it succeed.
 *
 * @example
 * ```ts
 * const plan = scriptedFaults({ commit: [undefined, 'none'] }); // the second commit fails
 * const store = faultyStore(memoryStore(), plan);
 * ```
 */
export function scriptedFaults(
  script: Readonly<Partial<Record<FaultyMethod, readonly (FaultKind | undefined)[]>>>,
): FaultPlan {
  return ({ method, count }) => script[method]?.[count];
}

/** How often and in which ways calls fail at random. */
export interface SeededFaultsOptions {
  readonly seed: number;
  /** The share of calls that fail, between 0 and 1. */
  readonly rate: number;
  /** The ways in which each method may fail; a method that is left out never does. */
  readonly kinds: Readonly<Partial<Record<FaultyMethod, readonly FaultKind[]>>>;
}

/**
 * Fails calls at random; the same seed fails the same ones.
 *
 * @example
 * ```ts
 * const plan = seededFaults({ seed: 7, rate: 0.1, kinds: { commit: ['lost-request', 'lost-answer'] } });
 * const store = faultyStore(memoryStore(), plan);
 * ```
 */
export function seededFaults({ seed, rate, kinds }: SeededFaultsOptions): FaultPlan {
  const random = seededRandom(seed);
  return ({ method }) => {
    const possible = kinds[method] ?? [];
    if (random() >= rate) return undefined;
    return possible[Math.floor(random() * possible.length)];
  };
}
