import type fastCheck from 'fast-check';

/** How the store is compared with the model. */
export interface ModelOptions {
  /** The `fast-check` package: `import fc from 'fast-check'`. */
  readonly fc: typeof fastCheck;
  /** How many sequences, and as many in which calls fail; default 1,000. More when HOLDFAST_SEQUENCES says so. */
  readonly numRuns?: number | undefined;
  /** Of a failure that is to be seen again. */
  readonly seed?: number | undefined;
  /** Of a failure that is to be seen again: goes straight to the smallest sequence that fails. */
  readonly path?: string | undefined;
}
