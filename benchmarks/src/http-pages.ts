import { join } from 'node:path';
import { api } from '@holdfast/server';
import { openEngine, type Store } from 'holdfast';
import { sqliteStore } from 'holdfast/sqlite';
import { nodeEnv } from '../../packages/core/src/env/node-env.ts';
import { openStore } from '../../packages/core/src/store/store.ts';
import type { Figure, Report } from './report.ts';
import { fillRuns, population } from './run-population.ts';
import { inScratch } from './scratch.ts';
import { median } from './timing.ts';

const total = 1_000_000;
const rounds = 21;
const warmUps = 10;

const pages: Readonly<Record<string, string>> = {
  'newest runs': '/runs',
  'by status': '/runs?q=status%3Awaiting',
  'by graph and tag': '/runs?q=graph%3Agraph-3%20tag%3Acustomer%3Dc-77',
  'by node': '/runs?q=node%3Areview',
  'by text': '/runs?q=run-99',
  'by age': '/runs?q=age%3E1d',
  'a page far down': '/runs?after=run-500000',
  'a page far down by tag and status': '/runs?after=run-500000&q=tag%3Aplan%3Dfree%20status%3Afailed',
};

/**
 * What the server's pages cost among a million runs, from the request to the last byte of its JSON. Those runs have headers
 * alone: their questions and checkpoints cannot be read.
 */
export async function httpPages(): Promise<Report> {
  return inScratch((folder) => measurePages(() => sqliteStore(join(folder, 'bench.db'))));
}

/** The same on any store: fills it, and asks. */
export async function measurePages(at: () => Store | Promise<Store>): Promise<Report> {
  const store = await openStore(await at(), nodeEnv);
  await fillRuns(store, total);
  await store.close();
  const engine = await openEngine(await at(), { executes: false });
  const server = api(engine, { authorize: () => ({ by: 'bench' }) });
  const figures: Figure[] = [];
  for (const [name, page] of Object.entries(pages))
    figures.push({ name, value: await pageMs(server.fetch, page), unit: 'ms', atMost: 50 });
  const count = await pageMs(server.fetch, '/runs/count?q=status%3Arunning');
  figures.push({ name: 'counting the running runs', value: count, unit: 'ms' });
  await engine.close();
  return { settings: { runs: total, states: population, rounds, warmUps, node: process.version }, figures };
}

async function pageMs(fetch: (request: Request) => Promise<Response>, page: string): Promise<number> {
  const times: number[] = [];
  for (let round = -warmUps; round < rounds; round += 1) {
    const startedAt = performance.now();
    const response = await fetch(new Request(`http://localhost/api/v1${page}`));
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${page}: ${response.status} ${text}`);
    if (round >= 0) times.push(performance.now() - startedAt);
  }
  return median(times);
}
