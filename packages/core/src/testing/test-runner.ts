/** The part of a test runner that the suite calls: vitest, jest and `node:test` have it. */
export interface TestRunner {
  /** Groups tests. */
  readonly describe: (name: string, body: () => void) => unknown;
  /** One test; it fails when its body rejects. */
  readonly test: (name: string, body: () => Promise<void>, timeoutMs?: number) => unknown;
}
