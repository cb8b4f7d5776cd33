import { join } from 'node:path';
import { type Engine, openEngine, workflow } from 'holdfast';
import { memoryStore } from 'holdfast/testing';
import { z } from 'zod';
import type { Figure, Report } from './report.ts';
import { inScratch } from './scratch.ts';
import { median } from './timing.ts';

const many = 2_000;
const few = 20;
const rounds = 3;

/** What one run with so many unread messages showed, in milliseconds. */
interface Measured {
  /** The median of the last sends, and of the receives of one body. */
  readonly send: number;
  readonly receive: number;
  /** How long the body took to replay its receives and end. */
  readonly replay: number;
}

/** That a message costs the same however many others wait, and that replaying calls takes as long as there are calls. */
export async function messages(): Promise<Report> {
  const figures = await inScratch(async (folder) => {
    await using memory = await openEngine(memoryStore());
    await using sqlite = await openEngine(`sqlite:${join(folder, 'bench.db')}`);
    return [...(await figuresOf('memory', memory)), ...(await figuresOf('sqlite', sqlite))];
  });
  return { settings: { many, few, rounds, durability: 'full', node: process.version }, figures };
}

async function figuresOf(store: string, engine: Engine): Promise<readonly Figure[]> {
  const ratios: Measured[] = [];
  await measure(engine, few);
  for (let round = 0; round < rounds; round += 1) {
    const small = await medians(engine, few, 10);
    const large = await measure(engine, many);
    const calls = await medians(engine, many / 10, 3);
    ratios.push({
      send: large.send / small.send,
      receive: large.receive / small.receive,
      replay: large.replay / calls.replay,
    });
  }
  const of = (key: keyof Measured): number => median(ratios.map((ratio) => ratio[key]));
  return [
    { name: `${store}: send with 2,000 unread ÷ with 20`, value: of('send'), unit: 'ratio', atMost: 1.5 },
    { name: `${store}: receive with 2,000 unread ÷ with 20`, value: of('receive'), unit: 'ratio', atMost: 1.5 },
    { name: `${store}: replay of 2,000 calls ÷ of 200`, value: of('replay'), unit: 'ratio', atMost: 12 },
  ];
}

async function medians(engine: Engine, count: number, times: number): Promise<Measured> {
  const all: Measured[] = [];
  for (let time = 0; time < times; time += 1) all.push(await measure(engine, count));
  const of = (key: keyof Measured): number => median(all.map((measured) => measured[key]));
  return { send: of('send'), receive: of('receive'), replay: of('replay') };
}

async function measure(engine: Engine, count: number): Promise<Measured> {
  const receives: number[] = [];
  const body = receiver(count, (at) => receives.push(at));
  const run = await engine.start(body, {});
  await run.outcome();
  const sends = await timesOf(count, () => run.send('item', 1));
  await run.answer('begin', true);
  await run.outcome();
  // The body has run twice by now: from its top to the first question, then through all receives to the second.
  const gaps = receives.slice(1).map((at, index) => at - (receives[index] ?? at));
  const startedAt = performance.now();
  await run.answer('end', true);
  await run.result();
  const replay = performance.now() - startedAt;
  return { send: median(sends.slice(-few)), receive: median(gaps), replay };
}

/** A workflow that receives so many messages between two questions. */
function receiver(count: number, onReceive: (at: number) => void) {
  const question = { show: z.string(), answer: z.boolean() };
  const asks = { begin: question, end: question };
  return workflow('receiver', { input: z.object({}), asks, receives: { item: z.number() } }, async (_, context) => {
    await context.ask('begin', 'Begin?');
    for (let taken = 0; taken < count; taken += 1) {
      await context.receive('item');
      onReceive(performance.now());
    }
    await context.ask('end', 'End?');
    return 'done';
  });
}

async function timesOf(count: number, call: () => Promise<unknown>): Promise<readonly number[]> {
  const times: number[] = [];
  for (let index = 0; index < count; index += 1) {
    const startedAt = performance.now();
    await call();
    times.push(performance.now() - startedAt);
  }
  return times;
}
