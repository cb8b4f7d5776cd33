import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { counter, type Engine, graph, openEngine } from 'holdfast';
import { openLangGraph } from './peers.ts';
import type { Figure, Report } from './report.ts';
import { inScratch } from './scratch.ts';
import { median } from './timing.ts';
import { growingLoop, runToEnd, trivialLoop } from './trivial-graph.ts';

const rounds = 5;
/** Each side is at it for about as long: code becomes fast with the time that it runs, not with the steps it takes. */
const steps = 300;
const peerSteps = 10;

/** Many durable runs at once through the whole engine, beside as many in LangGraph. */
export async function step64(): Promise<Report> {
  return inScratch(async (folder) => {
    const engine = await openEngine(`sqlite:${join(folder, 'bench.db')}`);
    const peer = await openLangGraph({ saver: 'sqlite', path: join(folder, 'peer.db') });
    const trivial = trivialLoop(steps);
    const ofTen = trivialLoop(peerSteps);
    const sixtyFourOfTen = (): Promise<void> => together(64, () => runToEnd(engine, ofTen, peerSteps));
    const kilobyte = growingLoop(steps, 1_000);
    const slow = slowLoop(steps);
    const lags: number[] = [];
    const sides: Readonly<Record<string, () => Promise<number>>> = {
      trivial: () => perSecond(64 * steps, () => together(64, () => runToEnd(engine, trivial, steps)), lags),
      kilobyte: () => perSecond(64 * steps, () => together(64, () => runToEnd(engine, kilobyte, steps))),
      many: () => perSecond(256 * steps, () => together(256, () => runToEnd(engine, trivial, steps))),
      slow: () => perSecond(64 * steps, () => together(64, () => runSlow(engine, slow))),
      // As short as the peer's: starting a run counts.
      short: () => perSecond(64 * steps, () => inTurn(steps / peerSteps, sixtyFourOfTen)),
      peer: async () => 1e6 / (await peer.measure({ runs: 64, steps: peerSteps, atOnce: true })),
    };
    for (const side of Object.values(sides)) await side();
    lags.length = 0;
    const measured: Record<string, number>[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const figures: Record<string, number> = {};
      for (const [name, side] of Object.entries(sides)) figures[name] = await side();
      measured.push(figures);
    }
    await engine.close();
    await peer.close();
    const of = (name: string): number => median(measured.map((figures) => figures[name] ?? Number.NaN));
    const ratio = (name: string): number =>
      median(measured.map(({ [name]: ours = Number.NaN, peer: theirs = Number.NaN }) => ours / theirs));
    const rate = (name: string, side: string): Figure => ({ name, value: of(side), unit: 'steps/s' });
    return {
      settings: {
        rounds,
        runs: 64,
        steps,
        peerSteps,
        durability: 'full (the peer: its default)',
        node: process.version,
      },
      figures: [
        rate('64 runs, trivial', 'trivial'),
        rate('64 runs, 1 KB a step', 'kilobyte'),
        rate('256 runs, trivial', 'many'),
        rate('64 runs, nodes of 0 to 3 ms', 'slow'),
        rate('64 runs of ten', 'short'),
        rate('LangGraph + SqliteSaver, 64 runs', 'peer'),
        { name: 'Holdfast ÷ LangGraph at 64', value: ratio('trivial'), unit: 'ratio', atLeast: 40 },
        { name: 'Holdfast ÷ LangGraph at 64, both in runs of ten', value: ratio('short'), unit: 'ratio' },
        { name: 'p99 lag of a 10 ms timer', value: percentile(lags, 0.99), unit: 'ms', atMost: 25 },
      ],
    };
  });
}

type Slow = ReturnType<typeof slowLoop>;

/** Nodes that wait a little, as calls to other systems do. */
function slowLoop(count: number) {
  return graph('slow', { state: { n: counter() } })
    .node('a', async ({ state }) => {
      await sleep(state.n % 4);
      return { n: 1 };
    })
    .edge('start', 'a')
    .route('a', ['a', 'end'], (state) => (state.n >= count ? 'end' : 'a'))
    .compile();
}

async function runSlow(engine: Engine, loop: Slow): Promise<void> {
  const run = await engine.start(loop, {}, { maxSupersteps: steps + 1 });
  await run.result();
}

async function inTurn(times: number, one: () => Promise<void>): Promise<void> {
  for (let at = 0; at < times; at += 1) await one();
}

async function together(count: number, one: () => Promise<unknown>): Promise<void> {
  await Promise.all(Array.from({ length: count }, one));
}

/** How many a second; meanwhile a 10 ms timer says how long the event loop kept it waiting. */
async function perSecond(count: number, work: () => Promise<void>, lags?: number[]): Promise<number> {
  const over = new AbortController();
  const ticking = lags === undefined ? undefined : tick(lags, over.signal);
  const startedAt = performance.now();
  await work();
  const ms = performance.now() - startedAt;
  over.abort();
  await ticking;
  return (count / ms) * 1_000;
}

async function tick(lags: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const startedAt = performance.now();
    await sleep(10);
    lags.push(performance.now() - startedAt);
  }
}

function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}
