import { join } from 'node:path';
import { openAgent } from '../../packages/core/src/agent/open-agent.ts';
import { openEngine } from '../../packages/core/src/engine/open.ts';
import { type StoreUrl, storeAt } from '../../packages/core/src/engine/store-at.ts';
import { nodeEnv } from '../../packages/core/src/env/node-env.ts';
import { openStore } from '../../packages/core/src/store/store.ts';
import type { Figure, Report } from './report.ts';
import { inScratch } from './scratch.ts';
import { median } from './timing.ts';

const few = 1_000;
/** Nearly fills a file of the journal in the file store, which reads the last one whole when a run is first asked for. */
const aFile = 9_000;
const many = 1_000_000;
const perCommit = 1_000;
const rounds = 41;
const agent = { id: 'clerk', initial: { handled: 0 } };

/** What it costs to open a store and recover an agent whose checkpoint lies so many records back, and many times more. */
export async function recover(): Promise<Report> {
  return inScratch(async (folder) => {
    const figures: Figure[] = [];
    for (const kind of ['sqlite', 'file'] as const) {
      const urls = [few, aFile, many].map((records): StoreUrl => `${kind}:${join(folder, `${kind}-${records}`)}`);
      for (const [at, records] of [few, aFile, many].entries()) await fill(urls[at] as StoreUrl, records);
      const [afterFew, afterFile, afterMany] = await compare(urls);
      figures.push(
        { name: `${kind}: recover after ${few} records`, value: afterFew, unit: 'ms' },
        { name: `${kind}: recover after ${aFile} records`, value: afterFile, unit: 'ms' },
        { name: `${kind}: recover after ${many} records`, value: afterMany, unit: 'ms' },
        { name: `${kind}: ${many} to ${aFile}`, value: afterMany / afterFile, unit: 'times', atMost: 1.5 },
        {
          name: `${kind}: ${many} to ${few}`,
          value: afterMany / afterFew,
          unit: 'times',
          ...(kind === 'sqlite' && { atMost: 1.5 }),
        },
      );
    }
    return { settings: { rounds, node: process.version }, figures };
  });
}

/** A life of the agent, and so many records after its last checkpoint. */
async function fill(url: StoreUrl, records: number): Promise<void> {
  const engine = await openEngine(url);
  const first = await openAgent(engine, agent);
  first.update({ handled: 7 });
  await first.transition('boot');
  await engine.close();
  const store = await openStore(await storeAt(url), nodeEnv);
  const entries = Array.from({ length: perCommit }, (_, at) => ({ kind: 'note', at, payload: { n: at } }) as const);
  for (let expect = 1; expect <= records; expect += perCommit) {
    const outcome = await store.commit({ runId: agent.id, writer: { by: 'journal' }, expect, entries });
    if (!outcome.ok) throw new Error(`a commit was refused: ${outcome.why}`);
  }
  await store.close();
}

/** In turns, so that a slow moment of the machine meets all of them. */
async function compare(urls: readonly StoreUrl[]): Promise<readonly [number, number, number]> {
  const times = urls.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    for (const [at, url] of urls.entries()) times[at]?.push(await recoverOnce(url));
  }
  const [few = [], file = [], many = []] = times;
  return [median(few), median(file), median(many)];
}

async function recoverOnce(url: StoreUrl): Promise<number> {
  const startedAt = performance.now();
  const engine = await openEngine(url);
  const { appState, phase } = await openAgent(engine, agent);
  const ms = performance.now() - startedAt;
  await engine.close();
  if (appState.handled !== 7 || phase !== 'ready') throw new Error('the agent came back as another');
  return ms;
}
