import type fastCheck from 'fast-check';

/** How the store is compared with the model. */
export interface ModelOptions {
  /** The `fast-check` package: `import fc from 'fast-check'`. */
  readonly fc: typeof fastCheck;
  /** How many sequences; default 1,000. */
  readonly numRuns?: number | undefined;
  /** How many sequences in which calls fail; by default as many. */
  readonly faultyRuns?: number | undefined;
  /** Of a failure that is to be seen again. */
  readonly seed?: number | undefined;
  /** Of a failure that is to be seen again: goes straight to the smallest sequence that fails. */
  readonly path?: string | undefined;
}
