import { nodeEnv } from '../../packages/core/src/env/node-env.ts';
import { CheckedStore } from '../../packages/core/src/store/checked-store.ts';
import { MemoryDriver } from '../../packages/core/src/store/memory/driver.ts';
import { MemoryPlace } from '../../packages/core/src/store/memory/memory-place.ts';
import { commitStep, createRun, trivialStep } from './graph-runs.ts';
import type { Report } from './report.ts';
import { median, microsPerAwait } from './timing.ts';

const rounds = 9;
const commits = 20_000;

/** What a commit of one record costs, through the checks, the codec and the checksums, into the memory store. */
export async function memoryStore(): Promise<Report> {
  const trivial: number[] = [];
  const kilobyte: number[] = [];
  const kilobyteStep = { delta: { text: ['=', 'x'.repeat(1_000)] } };
  for (let round = 0; round < rounds; round += 1) {
    trivial.push(await commitCost(trivialStep));
    kilobyte.push(await commitCost(kilobyteStep));
  }
  return {
    settings: { rounds, commits, runs: 1, node: process.version },
    figures: [
      { name: 'commit of one trivial step record', value: median(trivial), unit: 'µs' },
      { name: 'commit of one step record of 1 KB', value: median(kilobyte), unit: 'µs' },
    ],
  };
}

async function commitCost(payload: unknown): Promise<number> {
  const store = new CheckedStore(new MemoryDriver(new MemoryPlace(), nodeEnv), nodeEnv);
  await createRun(store, 'r');
  const micros = await microsPerAwait(commits, (index) => commitStep(store, 'r', index + 1, payload));
  await store.close();
  return micros;
}
