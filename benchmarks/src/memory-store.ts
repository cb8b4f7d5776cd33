import { nodeEnv } from '../../packages/core/dist/env/node-env.js';
import { CheckedStore } from '../../packages/core/dist/store/checked-store.js';
import { MemoryDisk } from '../../packages/core/dist/store/memory/memory-disk.js';
import { MemoryDriver } from '../../packages/core/dist/store/memory/memory-driver.js';
import type { Report } from './report.ts';
import { median, microsPerAwait } from './timing.ts';

const rounds = 9;
const commits = 20_000;

/** What a commit of one record costs, through the checks, the codec and the checksums, into the memory store. */
export async function memoryStore(): Promise<Report> {
  const trivial: number[] = [];
  const kilobyte: number[] = [];
  const payloads = {
    trivial: { delta: { n: ['=', 1] }, next: ['b'] },
    kilobyte: { delta: { text: ['=', 'x'.repeat(1_000)] } },
  };
  for (let round = 0; round < rounds; round += 1) {
    trivial.push(await commitCost(payloads.trivial));
    kilobyte.push(await commitCost(payloads.kilobyte));
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
  const store = new CheckedStore(new MemoryDriver(new MemoryDisk(), nodeEnv), nodeEnv);
  const header = { status: 'running', step: 0, frontier: ['a'], waits: [], wakeAt: 0, tags: {} } as const;
  const of = { loop: false, graph: 'bench', version: 1, base: null, parent: null, createdAt: 0, worker: 'w' } as const;
  await store.commit({
    run: 'r',
    writer: { by: 'creator', of },
    expect: 0,
    entries: [{ kind: 'run-start', at: 0 }],
    header,
  });
  const micros = await microsPerAwait(commits, async (index) => {
    const entries = [{ kind: 'step', at: index, payload }] as const;
    const outcome = await store.commit({
      run: 'r',
      writer: { by: 'owner', fence: 1 },
      expect: index + 1,
      entries,
      header: { step: index },
    });
    if (!outcome.ok) throw new Error(`commit ${index} was refused: ${outcome.why}`);
  });
  await store.close();
  return micros;
}
