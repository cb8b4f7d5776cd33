import { join } from 'node:path';
import { sqliteStore } from 'holdfast/sqlite';
import { nodeEnv } from '../../packages/core/src/env/node-env.ts';
import type { CheckedStore } from '../../packages/core/src/store/checked-store.ts';
import type { RunsQuery } from '../../packages/core/src/store/contract/read.ts';
import { openStore } from '../../packages/core/src/store/store.ts';
import { commitStep, createRun } from './graph-runs.ts';
import type { Figure, Report } from './report.ts';
import { addHeldRuns, fillRuns, heldRuns, population } from './run-population.ts';
import { inScratch } from './scratch.ts';
import { median, microsPerAwait } from './timing.ts';

const total = 1_000_000;
/** More than a machine's workers hold: what a search by node costs where all of them are looked at. */
const manyHeld = 10_000;
const rounds = 21;
/** Pages that are read before those that count: every side is warm. */
const warmUps = 50;
const limit = 50;

type Filter = Omit<RunsQuery, 'order' | 'limit'>;

const quick: Readonly<Record<string, Filter>> = {
  'by status': { status: ['waiting'] },
  'by rare status': { status: ['cancelled'] },
  'by graph': { graph: 'graph-3' },
  'by tag': { tags: { customer: 'c-77' } },
  'without a filter': {},
};

const other: Readonly<Record<string, Filter>> = {
  'by id prefix': { idPrefix: 'run-4242' },
  'by node': { node: 'review' },
  'by node, all held runs and others': { node: 'collect' },
  'by node where no run is': { node: 'nowhere' },
  'by node and tag': { node: 'charge', tags: { customer: 'c-77' } },
  'by age': { updatedBefore: 1 },
  'by wait': { waits: 'ask' },
  'by fork base': { forkOf: 'run-1' },
  'by status and graph': { status: ['failed'], graph: 'graph-3' },
  'by tag and graph': { tags: { customer: 'c-77' }, graph: 'graph-3' },
  'by two tags': { tags: { customer: 'c-77', plan: 'free' } },
};

/** What a page of run headers costs among a million runs, and what keeping them findable costs a commit. */
export async function runs(): Promise<Report> {
  return inScratch(async (folder) => {
    const store = await openStore(sqliteStore(join(folder, 'bench.db')), nodeEnv);
    await fillRuns(store, total);
    const figures: Figure[] = [];
    for (const [name, filter] of Object.entries(quick))
      figures.push({ name, value: await pageMs(store, filter), unit: 'ms', atMost: 1 });
    for (const [name, filter] of Object.entries(other))
      figures.push({ name, value: await pageMs(store, filter), unit: 'ms', atMost: 20 });
    const none = await openStore(sqliteStore(join(folder, 'none.db')), nodeEnv);
    figures.push({
      name: 'commit among a million ÷ among none',
      value: await commitRatio(store, none),
      unit: 'ratio',
      atMost: 1.25,
    });
    await none.close();
    await addHeldRuns(store, manyHeld);
    const name = `by node where no run is, ${manyHeld} more held`;
    figures.push({ name, value: await pageMs(store, { node: 'nowhere' }), unit: 'ms' });
    await store.close();
    const settings = {
      runs: total,
      states: population,
      held: heldRuns,
      page: limit,
      rounds,
      warmUps,
      node: process.version,
    };
    return { settings, figures };
  });
}

async function pageMs(store: CheckedStore, filter: Filter): Promise<number> {
  const times: number[] = [];
  for (let round = -warmUps; round < rounds; round += 1) {
    const startedAt = performance.now();
    await store.runs({ ...filter, order: 'newest', limit });
    if (round >= 0) times.push(performance.now() - startedAt);
  }
  return median(times);
}

/** What a lone commit costs in one store, beside what it costs in the other: in turns, and both warm. */
async function commitRatio(above: CheckedStore, below: CheckedStore): Promise<number> {
  const [first, second] = [await lastRun(above), await lastRun(below)];
  const ratios: number[] = [];
  for (let round = -warmUps; round < rounds; round += 1) {
    // Whoever comes first in a round finds other things in the caches.
    const early = round % 2 === 0 ? await first() : await second();
    const late = round % 2 === 0 ? await second() : await first();
    if (round >= 0) ratios.push(round % 2 === 0 ? early / late : late / early);
  }
  return median(ratios);
}

/** A run that is there besides; gives what measures some of its commits, in µs each. */
async function lastRun(store: CheckedStore): Promise<() => Promise<number>> {
  await createRun(store, 'last');
  let head = 1;
  return () => microsPerAwait(50, () => commitStep(store, 'last', head++));
}
