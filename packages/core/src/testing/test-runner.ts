/** The part of a test runner that the suite calls: vitest, jest and `node:test` have it. */
export interface TestRunner {
  readonly describe: (name: string, body: () => void) => unknown;
  readonly test: (name: string, body: () => Promise<void>, timeoutMs?: number) => unknown;
}
