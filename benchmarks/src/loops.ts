import { again, counter, type Engine, graph, openEngine, workflow } from 'holdfast';
import { memoryStore } from 'holdfast/testing';
import { z } from 'zod';
import type { Figure, Report } from './report.ts';
import { median } from './timing.ts';

const rounds = 1_000;
const perInput = 50;
const many = 2_000;
const few = 200;
const times = 5;

/** That one replay is linear in its calls, and that a long loop which starts over costs about as much as a graph's cycle. */
export async function loops(): Promise<Report> {
  await using engine = await openEngine(memoryStore());
  return {
    settings: { rounds, perInput, many, few, times, node: process.version },
    figures: [await replayFigure(engine), ...(await loopFigures(engine))],
  };
}

async function replayFigure(engine: Engine): Promise<Figure> {
  await replayMs(engine, many);
  const ratios: number[] = [];
  for (let time = 0; time < times; time += 1) {
    const small = median([await replayMs(engine, few), await replayMs(engine, few), await replayMs(engine, few)]);
    ratios.push((await replayMs(engine, many)) / small);
  }
  return { name: `replay of ${many} calls ÷ of ${few}`, value: median(ratios), unit: 'ratio', atMost: 12 };
}

/** How long a body with so many recorded steps takes from the answer to its end. */
async function replayMs(engine: Engine, calls: number): Promise<number> {
  const body = workflow('replay', { input: z.object({}), asks: { go: z.boolean() } }, async (_, { ask, step }) => {
    for (let call = 0; call < calls; call += 1) await step('call', () => call);
    await ask('go');
    return 'done';
  });
  const run = await engine.start(body, {});
  await run.outcome();
  const startedAt = performance.now();
  await run.answer('go', true);
  await run.result();
  return performance.now() - startedAt;
}

async function loopFigures(engine: Engine): Promise<readonly Figure[]> {
  await loopMs(engine);
  await cycleMs(engine);
  const loop: number[] = [];
  const cycle: number[] = [];
  for (let time = 0; time < times; time += 1) {
    cycle.push(await cycleMs(engine));
    loop.push(await loopMs(engine));
  }
  const name = `${rounds} rounds with again every ${perInput} ÷ the cycle of a graph`;
  const ratio = median(loop.map((ms, at) => ms / (cycle[at] ?? Number.NaN)));
  return [
    { name, value: ratio, unit: 'ratio', atMost: 3 },
    { name: 'the cycle of a graph', value: median(cycle), unit: 'ms' },
    { name: `${rounds} rounds with again`, value: median(loop), unit: 'ms' },
  ];
}

/** A workflow that does a step and sleeps, so many times, and starts over from time to time. */
async function loopMs(engine: Engine): Promise<number> {
  const flow = workflow('loop', { input: z.number() }, async (done, { step, sleep }) => {
    const upTo = done + perInput;
    for (let round = done; round < upTo; round += 1) {
      await step('work', () => round);
      await sleep(0);
    }
    return upTo < rounds ? again(upTo) : upTo;
  });
  const startedAt = performance.now();
  await engine.start(flow, 0).result();
  return performance.now() - startedAt;
}

/** The same as a graph with a cycle. */
async function cycleMs(engine: Engine): Promise<number> {
  const cycle = graph('cycle', { state: { done: counter() }, maxSupersteps: rounds + 1 })
    .node('work', async ({ step, sleep, state }) => {
      await step('work', () => state.done);
      await sleep(0);
      return { done: 1 };
    })
    .edge('start', 'work')
    .route('work', ['work', 'end'], ({ done }) => (done < rounds ? 'work' : 'end'))
    .compile();
  const startedAt = performance.now();
  await engine.start(cycle, {}).result();
  return performance.now() - startedAt;
}
