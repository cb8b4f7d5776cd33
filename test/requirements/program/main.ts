// Shows the five requirement documents row by row: the row's tests on every store, and whether they catch its mutants.
//   npm run requirements                      the whole table
//   npm run requirements -- --document 001    one document
//   npm run requirements -- --row prune       the rows whose name contains this
//   npm run requirements -- --no-mutants      the tests only
//   npm run requirements -- --json            for programs
//   npm run requirements -- --write           runs nothing and writes docs/requirements.md
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { readFacts } from '../../../packages/core/test/faults/runner/facts.ts';
import { sectionHead, tableOf, writeSection } from '../../../packages/core/test/faults/runner/record.ts';
import type { Row } from '../mutant.ts';
import { documents, mutantsOf, table } from '../rows/table.ts';
import { pageOf } from './page.ts';
import { belongsTo, failuresOfSeams, isCaught, runTests, type TestResult } from './run-tests.ts';

/** npm starts its scripts here. */
const root = process.cwd();
/** How many mutants run at a time. */
const atOnce = 2;

const { values } = parseArgs({
  allowNegative: true,
  options: {
    document: { type: 'string', default: '' },
    row: { type: 'string', default: '' },
    mutants: { type: 'boolean', default: true },
    json: { type: 'boolean', default: false },
    write: { type: 'boolean', default: false },
  },
});

interface Line {
  readonly row: Row;
  readonly tests: number;
  readonly passed: number;
  readonly mutants: number;
  readonly caught: number;
  readonly problems: readonly string[];
}

/** Shows the progress where somebody is watching. */
function progress(text: string): void {
  if (process.stderr.isTTY) process.stderr.write(`\r\u001B[K${text}`);
}

/** Tries every mutant; gives the names of those that no test noticed. */
async function findSurvivors(rows: readonly Row[], tests: readonly TestResult[]): Promise<ReadonlySet<string>> {
  for (const { title } of await failuresOfSeams(root)) throw new Error(`The seams alone break a test: ${title}`);
  const all = mutantsOf(rows);
  const waiting = [...all];
  const survivors = new Set<string>();
  const work = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined; next = waiting.shift()) {
      progress(`mutant ${all.length - waiting.length} of ${all.length}: ${next.mutant.breaks}`);
      if (!(await isCaught(root, next, tests))) survivors.add(next.name);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  progress('');
  return survivors;
}

function lineOf(row: Row, tests: readonly TestResult[], survivors: ReadonlySet<string>): Line {
  const own = tests.filter((test) => belongsTo(row, test));
  const failed = own.filter(({ passed }) => !passed);
  const missing = row.tests.filter((title) => !own.some((test) => belongsTo({ ...row, tests: [title] }, test)));
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
      ...missing.map((title) => `was not run: ${title}`),
      ...failed.map(({ store, title }) => `fails on ${store}: ${title}`),
      ...(values.mutants && mutants.length === 0 ? ['it has no mutant'] : []),
      ...alive.map(({ name, mutant }) => `not caught: ${mutant.breaks} (${name})`),
    ],
  };
}

function printJson(lines: readonly Line[], strays: readonly TestResult[], stores: readonly string[]): void {
  const rows = lines.map(({ row: { document, name, asked, here, better }, ...results }) => {
    return { document, name, asked, here, better, ...results };
  });
  const report = { schema: 'holdfast.requirements/1', stores, rows, strays: strays.map(({ title }) => title) };
  console.log(JSON.stringify(report));
}

function printTable(lines: readonly Line[], strays: readonly TestResult[], stores: readonly string[]): void {
  const width = Math.max(...lines.map(({ row }) => row.name.length));
  const mutants = values.mutants ? '  mutants' : '';
  console.log(`document  ${'row'.padEnd(width)}    tests${mutants}   on ${stores.join(', ')}`);
  for (const { row, problems, ...counts } of lines) {
    const passed = `${counts.passed}/${counts.tests}`.padStart(9);
    const caught = values.mutants ? `${counts.caught}/${counts.mutants}`.padStart(9) : '';
    const verdict = problems.length === 0 ? 'ok' : 'FAILED';
    console.log(`${row.document}       ${row.name.padEnd(width)}${passed}${caught}   ${verdict}`);
    for (const text of row.note === undefined ? problems : [row.note, ...problems]) console.log(`          ${text}`);
  }
  for (const { document, store, title } of strays) console.log(`${document}       in no row (${store}): ${title}`);
}

/** The last line. A test may belong to several rows, and counts once. */
function summaryOf(lines: readonly Line[], tests: readonly TestResult[]): string {
  const own = tests.filter((test) => lines.some(({ row }) => belongsTo(row, test)));
  const sum = (count: (line: Line) => number): number => lines.reduce((total, line) => total + count(line), 0);
  const ok = lines.filter(({ problems }) => problems.length === 0).length;
  const passed = own.filter((test) => test.passed).length;
  const caught = values.mutants ? `, ${sum((l) => l.caught)}/${sum((l) => l.mutants)} mutants caught` : '';
  return `${ok}/${lines.length} rows ok, ${passed}/${own.length} tests passed${caught}`;
}

/** The part of docs/reliability.md that a run of the whole table writes: each document in a row, and what is wrong. */
function recordOf(lines: readonly Line[], stores: readonly string[], head: readonly string[]): string {
  const rows = [...new Set(lines.map(({ row }) => row.document))].map((document) => {
    const own = lines.filter(({ row }) => row.document === document);
    const sum = (count: (line: Line) => number): number => own.reduce((total, line) => total + count(line), 0);
    const ok = own.filter(({ problems }) => problems.length === 0).length;
    const tests = `${sum((line) => line.passed)}/${sum((line) => line.tests)}`;
    return [document, `${ok}/${own.length}`, tests, `${sum((line) => line.caught)}/${sum((line) => line.mutants)}`];
  });
  const wrong = lines.flatMap(({ row, problems }) => problems.map((what) => `- ${row.document}, ${row.name}: ${what}`));
  return [
    ...head,
    `On ${stores.join(', ')}; a test that belongs to several rows counts in each.`,
    '',
    ...tableOf(['document', 'rows ok', 'tests passed', 'mutants caught'], rows),
    ...(wrong.length === 0 ? [] : ['', ...wrong]),
  ].join('\n');
}

async function main(): Promise<number> {
  if (values.write) {
    writeFileSync(join(root, 'docs/requirements.md'), pageOf(table, documents));
    return 0;
  }
  const ofDocument = table.filter(({ document }) => document.startsWith(values.document));
  const rows = ofDocument.filter(({ name }) => name.includes(values.row));
  if (rows.length === 0) {
    console.error('No such row. The documents are 000 to 004; docs/requirements.md lists their rows.');
    return 2;
  }
  // At the start: somebody may commit something else while it runs.
  const facts = readFacts();
  const startedMs = performance.now();
  progress('the tests of every row, on every store');
  const all = await runTests(root, ['test/requirements/document-']);
  const tests = all.filter(({ document }) => rows.some((row) => row.document === document));
  const survivors = values.mutants ? await findSurvivors(rows, tests) : new Set<string>();
  const lines = rows.map((row) => lineOf(row, tests, survivors));
  const strays = tests.filter((test) => !ofDocument.some((row) => belongsTo(row, test)));
  const stores = [...new Set(tests.map(({ store }) => store))];
  if (values.json) printJson(lines, strays, stores);
  else {
    printTable(lines, strays, stores);
    console.log(summaryOf(lines, tests));
  }
  if (rows.length === table.length && values.mutants) {
    const head = sectionHead('requirements', facts, performance.now() - startedMs);
    writeSection('requirements', recordOf(lines, stores, head));
  }
  const isBad = tests.length === 0 || strays.length > 0 || lines.some(({ problems }) => problems.length > 0);
  return isBad ? 1 : 0;
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));
process.exitCode = await main();
