import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { channel, counter, type Engine, graph, openEngine } from 'holdfast';
import { bytesIn } from './disk-size.ts';
import type { Report } from './report.ts';
import { inScratch } from './scratch.ts';
import { median } from './timing.ts';

const forks = 1_000;
const stateBytes = 5 * 1_048_576;
const rounds = 3;

const large = graph('large', { state: { n: counter(), text: channel<string>() } })
  .node('a', () => ({ n: 1, text: 'x'.repeat(stateBytes) }))
  .node('b', () => ({ n: 1 }))
  .edge('start', 'a')
  .edge('a', 'b')
  .edge('b', 'end')
  .compile();

/** That a fork is a pointer: what many of a large state cost, in bytes and in time. */
export async function fork(): Promise<Report> {
  const sqlite = await forked((folder) => `sqlite:${join(folder, 'bench.db')}`);
  const file = await forked((folder) => `file:${join(folder, 'bench')}`);
  return {
    settings: { forks, stateBytes, rounds, durability: 'full', node: process.version },
    figures: [
      { name: 'sqlite: bytes a fork', value: sqlite.bytes, unit: 'B', atMost: 256 },
      { name: 'sqlite: bytes a fork with an edit', value: sqlite.editedBytes, unit: 'B' },
      { name: 'sqlite: forks issued at once', value: sqlite.perSecond, unit: 'forks/s' },
      { name: 'file: bytes a fork', value: file.bytes, unit: 'B' },
      { name: 'file: forks issued at once', value: file.perSecond, unit: 'forks/s' },
    ],
  };
}

interface Forked {
  readonly bytes: number;
  readonly editedBytes: number;
  readonly perSecond: number;
}

async function forked(urlIn: (folder: string) => string): Promise<Forked> {
  return inScratch(async (scratch) => {
    const speeds: number[] = [];
    const sizes: number[] = [];
    let editedBytes = 0;
    for (let round = 0; round < rounds; round += 1) {
      const folder = join(scratch, String(round));
      mkdirSync(folder);
      const url = urlIn(folder) as 'memory:';
      await withEngine(url, async (engine) => {
        await (await engine.start(large, {}, { id: 'base' })).result();
      });
      const before = bytesIn(folder);
      speeds.push(await withEngine(url, (engine) => forksPerSecond(engine, {})));
      const after = bytesIn(folder);
      sizes.push((after - before) / forks);
      await withEngine(url, (engine) => forksPerSecond(engine, { set: { n: 5 } }));
      editedBytes = (bytesIn(folder) - after) / forks;
    }
    return { bytes: Math.max(...sizes), editedBytes, perSecond: median(speeds) };
  });
}

/** Forks the run where its large state is, before its last step. */
async function forksPerSecond(engine: Engine, edits: { readonly set?: { readonly n: number } }): Promise<number> {
  const base = await engine.get(large, 'base');
  const at: string[] = [];
  for await (const { id } of base.history({ limit: 2 })) at.push(id);
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: forks }, () => base.fork({ at: at[1], ...edits })));
  return (forks * 1_000) / (performance.now() - startedAt);
}

async function withEngine<T>(url: 'memory:', work: (engine: Engine) => Promise<T>): Promise<T> {
  await using engine = await openEngine(url);
  return await work(engine);
}
