import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import type { Row } from '../mutant.ts';
import type { NamedMutant } from '../rows/table.ts';
import { titlePattern } from './titles.ts';

/** What became of a test of a document. */
export interface TestResult {
  /** From the root of the repository. */
  readonly file: string;
  readonly document: string;
  readonly store: string;
  readonly title: string;
  readonly passed: boolean;
  readonly failures: readonly string[];
}

/** What we read of a report of Vitest. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
      readonly failureMessages: readonly string[];
    }[];
  }[];
}

/** No run takes this long unless it never ends. */
const limitMs = 300_000;
/** How the report of a failed assertion begins. Whatever else a test throws is no verdict. */
const assertion = /^(?:AssertionError: |Error: promise (?:resolved|rejected) )/;
/** The same of `expect().resolves` and `.rejects`, which throw a plain error: by the first line of its stack. */
const awaitedAssertion = /^Error: (?:(?!\n\s+at )[\s\S])*\n\s+at \S+\.__VITEST_RE(?:SOLVES|JECTS)__ /;

/** Runs tests with the seams in place. */
const throughSeams = '--config=test/requirements/program/mutant.config.ts';

const running = new Set<ChildProcess>();
process.once('exit', () => {
  for (const child of running) endGroup(child);
});

/** Ends a process and everything that it has started. */
function endGroup({ pid, exitCode, signalCode }: ChildProcess): void {
  if (pid !== undefined && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL');
}

/** Runs Vitest in the repository. A file that cannot be loaded gives no results. */
export async function runTests(
  root: string,
  args: readonly string[],
  env: NodeJS.ProcessEnv = {},
): Promise<readonly TestResult[]> {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-requirements-'));
  const report = join(folder, 'report.json');
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile=${report}`, ...args];
  // In a process group of its own, so that a worker that a mutant keeps in an endless loop can be ended with it.
  const options = { cwd: root, stdio: 'ignore', detached: true, env: { ...process.env, ...env } } as const;
  const child = spawn(process.execPath, vitest, options);
  running.add(child);
  const timer = setTimeout(endGroup, limitMs, child);
  try {
    await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
    return existsSync(report) ? resultsIn(root, JSON.parse(readFileSync(report, 'utf8')) as Report) : [];
  } finally {
    clearTimeout(timer);
    running.delete(child);
    rmSync(folder, { recursive: true, force: true });
  }
}

function resultsIn(root: string, { testResults }: Report): readonly TestResult[] {
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.flatMap(({ ancestorTitles, title, status, failureMessages }) => {
      const [, document, store] = /^document (\d{3}) on (\w+)$/.exec(ancestorTitles[0] ?? '') ?? [];
      if (document === undefined || store === undefined || status === 'skipped' || status === 'pending') return [];
      const file = relative(root, name);
      return [{ file, document, store, title, passed: status === 'passed', failures: failureMessages }];
    }),
  );
}

/** Whether a test shows a row. */
export function belongsTo({ document, tests }: Pick<Row, 'document' | 'tests'>, test: TestResult): boolean {
  return document === test.document && tests.some((title) => new RegExp(`^${titlePattern(title)}$`).test(test.title));
}

/** Whether a test of the mutant's row fails for what it says of the product, and not because it could not run. */
export async function isCaught(
  root: string,
  { name, row, mutant: { store } }: NamedMutant,
  tests: readonly TestResult[],
): Promise<boolean> {
  const own = tests.filter((test) => belongsTo(row, test) && test.store === store);
  const files = new Set(own.map(({ file }) => file));
  if (files.size === 0) return false;
  const pattern = `^document ${row.document} on ${store} (?:${row.tests.map(titlePattern).join('|')})$`;
  const args = [throughSeams, ...files, '-t', pattern, '--testTimeout=20000'];
  const found = await runTests(root, args, { HOLDFAST_MUTANT: name });
  return found.some(({ failures }) =>
    failures.some((failure) => assertion.test(failure) || awaitedAssertion.test(failure)),
  );
}

/** The tests that fail because of the seams alone, with no mutant in them: none, or no verdict on a mutant counts. */
export async function failuresOfSeams(root: string): Promise<readonly TestResult[]> {
  const found = await runTests(root, [throughSeams, 'test/requirements/document-', '-t', ' on memory ']);
  if (found.length === 0) throw new Error('No test can be run with the seams in place.');
  return found.filter(({ passed }) => !passed);
}
