import type { Bench } from '../bench.ts';

/** What the tests of the contract are written with: each gets an open bench of its own. */
export interface Contract {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly test: (name: string, body: (bench: Bench) => Promise<void>) => unknown;
}
