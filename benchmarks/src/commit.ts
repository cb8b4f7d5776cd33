import { closeSync, fdatasyncSync, openSync, writeSync } from 'node:fs';
import { type FileHandle, open } from 'node:fs/promises';
import { join } from 'node:path';
import { fileStore } from 'holdfast/file';
import { sqliteStore } from 'holdfast/sqlite';
import { nodeEnv } from '../../packages/core/src/env/node-env.ts';
import { encodeEntry } from '../../packages/core/src/record/record-codec.ts';
import type { CheckedStore, CommitOutcome } from '../../packages/core/src/store/checked-store.ts';
import type { SqliteDatabase } from '../../packages/core/src/store/sqlite/connection/database.ts';
import { loadSqlite } from '../../packages/core/src/store/sqlite/connection/load-sqlite.ts';
import { setUpDatabase } from '../../packages/core/src/store/sqlite/connection/set-up-database.ts';
import { insertRow } from '../../packages/core/src/store/sqlite/row/row-chain.ts';
import { shortenText } from '../../packages/core/src/store/sqlite/row/short-text.ts';
import { moveHead } from '../../packages/core/src/store/sqlite/run/run-table.ts';
import { openStore } from '../../packages/core/src/store/store.ts';
import { seededRandom } from '../../packages/core/src/testing/seeded-random.ts';
import { createRun, stepOf, trivialBytes, trivialStep } from './graph-runs.ts';
import type { Report } from './report.ts';
import { inScratch } from './scratch.ts';
import { median, microsPerAwait, microsPerCall } from './timing.ts';

const rounds = 31;
/** SQLite's log is written from its beginning again after 2,000 pages, two a step; until then the file grows with each. */
const warmRounds = 4;
const alone = 300;
const grouped = 100;
const runs = 64;
/** Of so many runs that are all in flight, other 64 commit each time. */
const crowd = 10_000;
const bytes = Buffer.alloc(trivialBytes, 'x');

/** What a durable commit costs in each store, beside the same bytes written and synced with nothing above them. */
export async function commit(): Promise<Report> {
  return inScratch(async (folder) => {
    const sides = await openSides(folder);
    const micros = new Map(sides.map(({ name }) => [name, [] as number[]]));
    for (let round = 0; round < warmRounds; round += 1) for (const side of sides) await side.measure();
    for (let round = 0; round < rounds; round += 1) {
      for (const { name, measure } of sides) micros.get(name)?.push(await measure());
    }
    for (const { close } of sides) await close();
    const amongMany = await crowdMicros(join(folder, 'crowd.db'));
    const of = (name: string): readonly number[] => micros.get(name) ?? [];
    const ratio = (above: string, below: string): number =>
      median(of(above).map((value, index) => value / (of(below)[index] ?? Number.NaN)));
    const perSecond = (name: string): number => 1e6 / median(of(name));
    return {
      settings: {
        rounds,
        warmRounds,
        alone,
        grouped,
        runs,
        crowd,
        recordBytes: trivialBytes,
        durability: 'full',
        node: process.version,
      },
      figures: [
        { name: 'append + fdatasync', value: median(of('append')), unit: 'µs' },
        { name: 'sqlite, one run', value: median(of('sqlite-1')), unit: 'µs' },
        { name: 'file, one run', value: median(of('file-1')), unit: 'µs' },
        { name: 'sqlite, one run ÷ append', value: ratio('sqlite-1', 'append'), unit: 'ratio', atMost: 1.25 },
        { name: 'file, one run ÷ append', value: ratio('file-1', 'append'), unit: 'ratio', atMost: 1.25 },
        { name: 'sqlite, 64 runs', value: perSecond('sqlite-64'), unit: 'commits/s' },
        { name: `sqlite, 64 random of ${crowd} runs`, value: 1e6 / amongMany, unit: 'commits/s' },
        { name: 'file, 64 runs', value: perSecond('file-64'), unit: 'commits/s' },
        {
          name: 'its own statements ÷ sqlite, 64 runs',
          value: ratio('own-statements', 'sqlite-64'),
          unit: 'ratio',
          atLeast: 0.7,
        },
        {
          name: 'the least statements ÷ sqlite, 64 runs',
          value: ratio('least-statements', 'sqlite-64'),
          unit: 'ratio',
        },
        { name: 'raw appends ÷ file, 64 runs', value: ratio('raw-files', 'file-64'), unit: 'ratio', atLeast: 0.7 },
      ],
    };
  });
}

interface Side {
  readonly name: string;
  /** µs a commit. */
  readonly measure: () => Promise<number>;
  readonly close: () => Promise<void>;
}

async function openSides(folder: string): Promise<readonly Side[]> {
  const sqlite = await openStore(sqliteStore(join(folder, 'bench.db')), nodeEnv);
  const file = await openStore(fileStore(join(folder, 'bench')), nodeEnv);
  const [sqliteSteps, fileSteps] = [await stepper(sqlite, runs), await stepper(file, runs)];
  return [
    appendSide(join(folder, 'append')),
    { name: 'sqlite-1', measure: () => sqliteSteps.alone(), close: async () => {} },
    { name: 'file-1', measure: () => fileSteps.alone(), close: async () => {} },
    await ownStatementsSide(join(folder, 'own.db')),
    await leastStatementsSide(join(folder, 'least.db')),
    { name: 'sqlite-64', measure: () => sqliteSteps.together(firstRuns), close: () => sqlite.close() },
    await rawFilesSide(folder),
    { name: 'file-64', measure: () => fileSteps.together(firstRuns), close: () => file.close() },
  ];
}

/** µs a commit where other runs commit each time. By itself: what is known of so many runs is in the way of the others. */
async function crowdMicros(path: string): Promise<number> {
  const store = await openStore(sqliteStore(path), nodeEnv);
  const steps = await stepper(store, crowd);
  const random = seededRandom(1);
  const micros: number[] = [];
  for (let round = 0; round < rounds; round += 1) micros.push(await steps.together(() => someOf(crowd, random)));
  await store.close();
  return median(micros);
}

interface Stepper {
  /** µs a commit of the first run. */
  alone(): Promise<number>;
  /** µs a commit of runs that commit at once. */
  together(pick: () => readonly number[]): Promise<number>;
}

/** Steps of so many runs in a store. */
async function stepper(store: CheckedStore, count: number): Promise<Stepper> {
  // In their order, as busy runs come.
  const digits = String(count - 1).length;
  const names = Array.from({ length: count }, (_, index) => `run-${String(index).padStart(digits, '0')}`);
  const heads = names.map(() => 1);
  await Promise.all(names.map((name) => createRun(store, name)));
  // Without an async function of ours around each commit: what is measured is the store.
  const step = (run: number): Promise<CommitOutcome> =>
    store.commit(stepOf(names[run] as string, (heads[run] as number)++));
  return {
    alone: async () => {
      let last: Promise<CommitOutcome> | undefined;
      const micros = await microsPerAwait(alone, () => (last = step(0)));
      // One that is refused leaves the next ones with a head that is not there.
      check((await last) as CommitOutcome);
      return micros;
    },
    together: async (pick) => {
      const micros = await microsPerAwait(grouped, async () => (await Promise.all(pick().map(step))).forEach(check));
      return micros / runs;
    },
  };
}

const first: readonly number[] = Array.from({ length: runs }, (_, run) => run);

function firstRuns(): readonly number[] {
  return first;
}

/** As many runs as commit at once, none of them twice, in no order. */
function someOf(count: number, random: () => number): readonly number[] {
  const picked = new Set<number>();
  while (picked.size < runs) picked.add(Math.floor(random() * count));
  return [...picked];
}

function check(outcome: CommitOutcome): void {
  if (!outcome.ok) throw new Error(`a step was refused: ${outcome.why}`);
}

function appendSide(path: string): Side {
  const file = openSync(path, 'w');
  const measure = async (): Promise<number> =>
    microsPerCall(alone, () => {
      writeSync(file, bytes);
      fdatasyncSync(file);
    });
  return { name: 'append', measure, close: async () => closeSync(file) };
}

/** The two statements that the store itself is made of, on its own tables, once a step, with ready-made values. */
async function ownStatementsSide(path: string): Promise<Side> {
  const store = await openStore(sqliteStore(path), nodeEnv);
  for (let run = 0; run < runs; run += 1) await createRun(store, `run-${run}`);
  await store.close();
  const database = new (await loadSqlite())(path);
  await setUpDatabase({ database, env: nodeEnv, durability: 'full' });
  database.exec('PRAGMA wal_autocheckpoint = 2000; UPDATE heads SET sum = seq');
  const [insert, move] = [database.prepare(insertRow), database.prepare(moveHead)];
  const text = shortenText(encodeEntry({ kind: 'superstep', at: Date.now(), payload: trivialStep }));
  let id = runs;
  return looped('own-statements', database, (seq, run) => {
    id += 1;
    move.run(seq + 2, id, 0, seq, 0, 12_345, seq + 2, '["a"]', run + 1, seq + 1, 1, 0, seq + 1);
    insert.run(id, run + 1, seq + 2, id - runs, 0, -1_234_567_890, 1_234_567_890, 'k3j2h1g0.a1b2', text);
  });
}

/** The least that a fenced step is in SQL: a row a run, and its head moved. */
async function leastStatementsSide(path: string): Promise<Side> {
  const database = new (await loadSqlite())(path);
  database.exec('PRAGMA page_size = 4096; PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL');
  database.exec('CREATE TABLE heads (run INTEGER PRIMARY KEY, seq INTEGER, fence INTEGER, last INTEGER)');
  database.exec('CREATE TABLE rows (id INTEGER PRIMARY KEY, run INTEGER, seq INTEGER, prev INTEGER, body TEXT)');
  for (let run = 0; run < runs; run += 1) database.exec(`INSERT INTO heads VALUES (${run}, 0, 1, 0)`);
  const insert = database.prepare(
    'INSERT INTO rows (run, seq, prev, body) SELECT run, seq + 1, last, ? FROM heads WHERE run = ? AND seq = ? AND fence = 1',
  );
  const move = database.prepare('UPDATE heads SET seq = ?, last = ? WHERE run = ?');
  const body = bytes.toString();
  return looped('least-statements', database, (seq, run) => {
    move.run(seq + 1, Number(insert.run(body, run, seq).lastInsertRowid), run);
  });
}

/** A step of each run in one transaction, again and again; nothing but the statements is in the loop. */
function looped(name: string, database: SqliteDatabase, step: (seq: number, run: number) => void): Side {
  let seq = 0;
  const measure = async (): Promise<number> => {
    const micros = microsPerCall(grouped, () => {
      database.exec('BEGIN IMMEDIATE');
      for (let run = 0; run < runs; run += 1) step(seq, run);
      database.exec('COMMIT');
      seq += 1;
    });
    return micros / runs;
  };
  const close = async (): Promise<void> => {
    const { steps } = database.prepare('SELECT max(seq) AS steps FROM heads').get() as { readonly steps: number };
    if (steps < seq) throw new Error(`${name}: a step was refused`);
    database.close();
  };
  return { name, measure, close };
}

async function rawFilesSide(folder: string): Promise<Side> {
  const files: FileHandle[] = [];
  for (let run = 0; run < runs; run += 1) files.push(await open(join(folder, `raw-${run}`), 'w'));
  const measure = async (): Promise<number> =>
    (await microsPerAwait(grouped, () => Promise.all(files.map(append)))) / runs;
  return {
    name: 'raw-files',
    measure,
    close: async () => {
      for (const file of files) await file.close();
    },
  };
}

async function append(file: FileHandle): Promise<void> {
  await file.write(bytes);
  await file.datasync();
}
