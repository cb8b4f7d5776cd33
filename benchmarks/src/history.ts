import { join } from 'node:path';
import { channel, counter, type Engine, graph, openEngine } from 'holdfast';
import type { Report } from './report.ts';
import { inScratch } from './scratch.ts';
import { median } from './timing.ts';

const checkpoints = 10_000;
const stateBytes = 10_240;
const page = 50;
const rounds = 11;

const long = graph('long', { state: { n: counter(), text: channel<string>() } })
  .node('a', ({ state }) => (state.n === 0 ? { n: 1, text: 'x'.repeat(stateBytes) } : { n: 1 }))
  .edge('start', 'a')
  .route('a', ['a', 'end'], ({ n }) => (n >= checkpoints - 1 ? 'end' : 'a'))
  .compile();

/** What looking back at a long run costs: a page of it, anywhere, and all of it. */
export async function history(): Promise<Report> {
  return inScratch(async (folder) => {
    const sqlite = await measured(`sqlite:${join(folder, 'bench.db')}`);
    const file = await measured(`file:${join(folder, 'bench')}`);
    return {
      settings: { checkpoints, stateBytes, page, rounds, node: process.version },
      figures: [
        { name: 'sqlite: the newest page', value: sqlite.newestMs, unit: 'ms', atMost: 5 },
        { name: 'sqlite: a page in the middle', value: sqlite.middleMs, unit: 'ms', atMost: 5 },
        { name: 'sqlite: all of them', value: sqlite.allMs, unit: 'ms' },
        { name: 'sqlite: all ÷ as many in pages', value: sqlite.ratio, unit: 'ratio', atMost: 1 },
        { name: 'file: the newest page', value: file.newestMs, unit: 'ms' },
        { name: 'file: a page in the middle', value: file.middleMs, unit: 'ms' },
        { name: 'file: all of them', value: file.allMs, unit: 'ms' },
        { name: 'file: all ÷ as many in pages', value: file.ratio, unit: 'ratio', atMost: 1 },
      ],
    };
  });
}

interface Measured {
  readonly newestMs: number;
  readonly middleMs: number;
  readonly allMs: number;
  readonly ratio: number;
}

async function measured(url: `sqlite:${string}` | `file:${string}`): Promise<Measured> {
  await using engine = await openEngine(url);
  await (await engine.start(long, {}, { id: 'long', maxSupersteps: checkpoints })).result();
  const all: number[] = [];
  const inPages: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    all.push(await msOf(engine, { count: checkpoints }));
    inPages.push(await pagesMs(engine));
  }
  const newest: number[] = [];
  const middle: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    newest.push(await msOf(engine, { count: page, limit: page }));
    middle.push(await msOf(engine, { count: page, limit: page, before: `long@${checkpoints / 2 + round}` }));
  }
  const allMs = median(all);
  return { newestMs: median(newest), middleMs: median(middle), allMs, ratio: allMs / median(inPages) };
}

interface Look {
  readonly count: number;
  readonly limit?: number;
  readonly before?: string;
}

async function msOf(engine: Engine, { count, ...options }: Look): Promise<number> {
  const startedAt = performance.now();
  let found = 0;
  for await (const { state } of (await engine.get(long, 'long')).history(options)) if (state.n >= 0) found += 1;
  if (found !== count) throw new Error(`${found} checkpoints instead of ${count}`);
  return performance.now() - startedAt;
}

async function pagesMs(engine: Engine): Promise<number> {
  let ms = 0;
  for (let above = checkpoints + 1; above > page; above -= page) {
    ms += await msOf(engine, { count: page, limit: page, before: `long@${above}` });
  }
  return ms;
}
