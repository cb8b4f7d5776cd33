// @ts-check
// Shows the five seed documents row by row: the row's tests on every store, from a real run, and whether they catch the
// row's mutants (small breaks of the product, test/seeds/rows.json).
//   npm run seeds                    the whole table
//   npm run seeds -- --seed 001      one document
//   npm run seeds -- --row prune     the rows whose name has this in it
//   npm run seeds -- --no-mutants    the tests only
//   npm run seeds -- --json          for programs
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, relative } from 'node:path';
import { parseArgs } from 'node:util';
import { mutantsOf, readRows, titlePattern } from './seed-rows.mjs';

/** @typedef {import('./seed-rows.mjs').Row} Row */
/** @typedef {{ file: string, seed: string, store: string, title: string, passed: boolean, failures: string[] }} Test */
/** @typedef {{ row: Row, tests: number, passed: number, caught: number, mutants: number, problems: string[] }} Line */

const root = join(import.meta.dirname, '..');
/** So many runs of mutants at a time. */
const atOnce = 2;
/** No run takes as long, unless it never ends. */
const limitMs = 300_000;
/** How the report of a failed assertion begins; what else a test throws is no verdict. */
const assertion = /^(?:AssertionError:|Error: promise (?:resolved|rejected)) /;

const { values } = parseArgs({
  allowNegative: true,
  options: {
    seed: { type: 'string', default: '' },
    row: { type: 'string', default: '' },
    mutants: { type: 'boolean', default: true },
    json: { type: 'boolean', default: false },
  },
});
const allRows = readRows(root).filter(({ seed }) => seed.startsWith(values.seed));
const rows = allRows.filter(({ name }) => name.includes(values.row));
if (rows.length === 0) {
  console.error(
    'There is no such row. The documents are 000 to 004; test/seeds/rows.json has the names of their rows.',
  );
  process.exit(2);
}

/** Tells how far it is, where somebody looks on. @param {string} text */
function progress(text) {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001b[K${text}`);
}

/**
 * Runs vitest and gives what each test came to; nothing for a file that could not be loaded.
 * @param {readonly string[]} args @param {NodeJS.ProcessEnv} env @returns {Promise<Test[]>}
 */
async function runTests(args, env = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-seeds-'));
  const file = join(folder, 'report.json');
  const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--reporter=json', `--outputFile=${file}`, ...args];
  // A group of its own, so that a worker that a mutant keeps in an endless loop can be ended with it.
  const options = /** @type {const} */ ({ cwd: root, stdio: 'ignore', detached: true });
  const child = spawn(process.execPath, vitest, { ...options, env: { ...process.env, ...env } });
  const end = () => void process.kill(-(child.pid ?? 0), 'SIGKILL');
  const timer = setTimeout(end, limitMs);
  process.once('exit', end);
  try {
    await new Promise((resolve, reject) => child.on('error', reject).on('close', resolve));
    return testsIn(file);
  } finally {
    clearTimeout(timer);
    process.off('exit', end);
    rmSync(folder, { recursive: true, force: true });
  }
}

/** What a report of vitest says of the tests that were run. @param {string} file @returns {Test[]} */
function testsIn(file) {
  if (!existsSync(file)) return [];
  /** @type {{ testResults: { name: string, assertionResults: { ancestorTitles: string[], title: string, status: string, failureMessages: string[] }[] }[] }} */
  const { testResults } = JSON.parse(readFileSync(file, 'utf8'));
  return testResults.flatMap(({ name, assertionResults }) =>
    assertionResults.flatMap(({ ancestorTitles, title, status, failureMessages }) => {
      const [, seed, store] = /^seed (\d{3}) on (\w+)$/.exec(ancestorTitles[0] ?? '') ?? [];
      if (seed === undefined || store === undefined || status === 'skipped' || status === 'pending') return [];
      const passed = status === 'passed';
      return [{ file: relative(root, name), seed, store, title, passed, failures: failureMessages }];
    }),
  );
}

/** @param {Row} row @param {Test} test */
function belongsTo(row, { seed, title }) {
  return seed === row.seed && row.tests.some((each) => new RegExp(`^${titlePattern(each)}$`).test(title));
}

/**
 * Whether a test of the row fails on the mutant for what it says of the product, and not because it could not run.
 * @param {ReturnType<typeof mutantsOf>[number]} mutant @param {readonly Test[]} tests
 */
async function isCaught({ name, row, mutant }, tests) {
  const { store = 'memory' } = mutant;
  const own = tests.filter((test) => belongsTo(row, test) && test.store === store);
  const files = new Set(own.map(({ file }) => file));
  if (files.size === 0) return false;
  const pattern = `^seed ${row.seed} on ${store} (?:${row.tests.map(titlePattern).join('|')})$`;
  const found = await runTests([...files, '-t', pattern, '--testTimeout=20000'], { HOLDFAST_MUTANT: name });
  return found.some(({ failures }) => failures.some((failure) => assertion.test(failure)));
}

/** Tries every mutant, and gives the names of those that no test has noticed. @param {readonly Test[]} tests */
async function findSurvivors(tests) {
  const all = mutantsOf(rows);
  const waiting = [...all];
  /** @type {Set<string>} */
  const survivors = new Set();
  const work = async () => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      progress(`mutant ${all.length - waiting.length} of ${all.length}: ${next.mutant.breaks}`);
      if (!(await isCaught(next, tests))) survivors.add(next.name);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  progress('');
  return survivors;
}

/** @param {Row} row @param {readonly Test[]} tests @param {ReadonlySet<string>} survivors @returns {Line} */
function lineOf(row, tests, survivors) {
  const own = tests.filter((test) => belongsTo(row, test));
  const failed = own.filter(({ passed }) => !passed);
  const shown = row.tests.filter((title) => own.some((test) => belongsTo({ ...row, tests: [title] }, test)));
  const mutants = values.mutants ? mutantsOf([row]) : [];
  const alive = mutants.filter(({ name }) => survivors.has(name));
  return {
    row,
    tests: own.length,
    passed: own.length - failed.length,
    mutants: mutants.length,
    caught: mutants.length - alive.length,
    problems: [
      ...(row.tests.length === 0 ? ['it has no test'] : []),
      ...row.tests.filter((title) => !shown.includes(title)).map((title) => `was not run: ${title}`),
      ...failed.map(({ store, title }) => `fails on ${store}: ${title}`),
      ...(values.mutants && mutants.length === 0 ? ['it has no mutant'] : []),
      ...alive.map(({ mutant }) => `not caught: ${mutant.breaks}`),
    ],
  };
}

/** @param {Line} line */
function printed({ row, tests, passed, mutants, caught, problems }) {
  const counts = [`${passed}/${tests}`.padStart(9), values.mutants ? `${caught}/${mutants}`.padStart(9) : ''].join('');
  const verdict = problems.length === 0 ? 'ok' : 'FAILED';
  const line = `${row.seed}   ${row.name.padEnd(width)}${counts}   ${verdict}`;
  return [line, ...(row.note === undefined ? [] : [row.note]), ...problems].join('\n        ');
}

progress('the tests of every row, on every store');
const tests = (await runTests(['test/seeds/seed-'])).filter(({ seed }) => rows.some((row) => row.seed === seed));
const survivors = values.mutants ? await findSurvivors(tests) : new Set();
const lines = rows.map((row) => lineOf(row, tests, survivors));
const strays = tests.filter((test) => !allRows.some((row) => belongsTo(row, test)));
const stores = [...new Set(tests.map(({ store }) => store))];
const bad = lines.filter(({ problems }) => problems.length > 0);
const width = Math.max(...rows.map(({ name }) => name.length));

if (values.json) {
  const told = lines.map(({ row: { seed, name, here, better }, ...rest }) => ({ seed, name, here, better, ...rest }));
  console.log(JSON.stringify({ schema: 'holdfast.seeds/1', stores, rows: told, strays: strays.map((t) => t.title) }));
} else {
  console.log(`seed  ${'row'.padEnd(width)}    tests${values.mutants ? '  mutants' : ''}   on ${stores.join(', ')}`);
  for (const line of lines) console.log(printed(line));
  for (const { seed, store, title } of strays) console.log(`${seed}   belongs to no row (${store}): ${title}`);
  const sum = (/** @type {(line: Line) => number} */ of) => lines.reduce((total, line) => total + of(line), 0);
  const caught = values.mutants ? `, ${sum((l) => l.caught)}/${sum((l) => l.mutants)} mutants caught` : '';
  const passed = tests.filter((test) => test.passed).length;
  console.log(`${lines.length - bad.length}/${lines.length} rows ok, ${passed}/${tests.length} tests passed${caught}`);
}
process.exitCode = bad.length + strays.length > 0 || tests.length === 0 ? 1 : 0;
