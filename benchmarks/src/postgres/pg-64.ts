import { setTimeout as sleep } from 'node:timers/promises';
import { counter, type Engine, graph, openEngine } from 'holdfast';
import type { Figure, Report } from '../report.ts';
import { median } from '../timing.ts';
import { runToEnd, trivialLoop } from '../trivial-graph.ts';
import { withServer } from './bench-server.ts';
import { openPostgresPeers } from './postgres-peers.ts';

const rounds = 5;
const steps = 100;
const together = 64;
/** Of a peer's run. */
const peerSteps = 10;

/**
 * 64 runs at a time through the whole engine: trivial, with nodes of 0–3 ms, and with another engine that listens. Peers do 64
 * runs of ten steps at a time, and we do the same beside them.
 */
export async function pg64(): Promise<Report> {
  return withServer(async (server) => {
    const { url } = server;
    await using engine = await openEngine(url('bench'), { lease: '10m' });
    const slow = graph('slow', { state: { n: counter() } })
      .node('a', async ({ state: { n } }) => {
        await sleep(n % 4);
        return { n: 1 };
      })
      .edge('start', 'a')
      .route('a', ['a', 'end'], ({ n }) => (n >= steps ? 'end' : 'a'))
      .compile();
    const trivial = (length = steps): Promise<number> =>
      perSecond(length, () => runToEnd(engine, trivialLoop(length), length));
    const peers = await openPostgresPeers({ server, runs: together, atOnce: true });
    const rates = { trivial: [] as number[], slow: [] as number[], heard: [] as number[], short: [] as number[] };
    await trivial();
    for (let round = 0; round < rounds; round += 1) {
      rates.trivial.push(await trivial());
      rates.slow.push(await perSecond(steps, () => runToEnd(engine, slow, steps)));
      const listeners = await Promise.all([0, 1].map(() => listen(url('bench'))));
      rates.heard.push(await trivial());
      await Promise.all(listeners.map((listener) => listener.close()));
      rates.short.push(await trivial(peerSteps));
      await peers.measure();
    }
    await peers.close();
    const best = peers.best();
    const ratio = (sides: readonly number[]): number =>
      median(sides.map((each, at) => each / (rates.trivial[at] ?? Number.NaN)));
    return {
      settings: { rounds, steps, peerSteps, together, fsync: 'on', node: process.version },
      figures: [
        { name: 'trivial', value: median(rates.trivial), unit: 'steps/s' },
        { name: 'trivial, runs of ten', value: median(rates.short), unit: 'steps/s' },
        ...peers.figures(),
        ...(best === undefined ? [] : [peerRatio(median(rates.short) / best)]),
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

function peerRatio(value: number): Figure {
  return { name: 'trivial ÷ the best peer, runs of ten', value, unit: 'ratio', atLeast: 10 };
}

async function perSecond(length: number, play: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await Promise.all(Array.from({ length: together }, play));
  return (1_000 * length * together) / (performance.now() - startedAt);
}
