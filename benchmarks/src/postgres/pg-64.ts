import { setTimeout as sleep } from 'node:timers/promises';
import { counter, type Engine, graph, openEngine } from 'holdfast';
import type { Report } from '../report.ts';
import { median } from '../timing.ts';
import { runToEnd, trivialLoop } from '../trivial-graph.ts';
import { withServer } from './bench-server.ts';

const rounds = 5;
const steps = 100;
const together = 64;

/** 64 runs at a time through the whole engine: trivial, with nodes of 0–3 ms, and with another engine that listens. */
export async function pg64(): Promise<Report> {
  return withServer(async ({ url }) => {
    await using engine = await openEngine(url('bench'), { lease: '10m' });
    const slow = graph('slow', { state: { n: counter() } })
      .node('a', async ({ state: { n } }) => {
        await sleep(n % 4);
        return { n: 1 };
      })
      .edge('start', 'a')
      .route('a', ['a', 'end'], ({ n }) => (n >= steps ? 'end' : 'a'))
      .compile();
    const trivial = (): Promise<number> => perSecond(() => runToEnd(engine, trivialLoop(steps), steps));
    const rates = { trivial: [] as number[], slow: [] as number[], heard: [] as number[] };
    await trivial();
    for (let round = 0; round < rounds; round += 1) {
      rates.trivial.push(await trivial());
      rates.slow.push(await perSecond(() => runToEnd(engine, slow, steps)));
      const listeners = await Promise.all([0, 1].map(() => listen(url('bench'))));
      rates.heard.push(await trivial());
      await Promise.all(listeners.map((listener) => listener.close()));
    }
    const ratio = (sides: readonly number[]): number =>
      median(sides.map((each, at) => each / (rates.trivial[at] ?? Number.NaN)));
    return {
      settings: { rounds, steps, together, fsync: 'on', node: process.version },
      figures: [
        { name: 'trivial', value: median(rates.trivial), unit: 'steps/s' },
        { name: 'nodes of 0–3 ms ÷ trivial', value: ratio(rates.slow), unit: 'ratio', atLeast: 0.6 },
        { name: 'with listeners ÷ without', value: ratio(rates.heard), unit: 'ratio', atLeast: 0.9 },
      ],
    };
  });
}

/** An engine that hears of every commit. */
async function listen(url: Parameters<typeof openEngine>[0]): Promise<Engine> {
  const engine = await openEngine(url, { graphs: [trivialLoop(1)] });
  engine.work();
  return engine;
}

async function perSecond(play: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: together }, play));
  return (1_000 * steps * together) / (performance.now() - startedAt);
}
