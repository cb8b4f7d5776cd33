import { z } from 'zod';
import { openAgent } from '../../../src/agent/open-agent.ts';
import { channel } from '../../../src/channel/channel.ts';
import { counter } from '../../../src/channel/counter.ts';
import { list } from '../../../src/channel/list.ts';
import type { Engine } from '../../../src/engine/engine.ts';
import { graph } from '../../../src/graph/graph.ts';
import type { AnyGraph } from '../../../src/graph/shape.ts';
import { workflow } from '../../../src/graph/workflow.ts';

/** A value with everything in it that can be stored. */
const awkward: unknown = {
  text: 'é\u2028\ud800 "quoted" \\ \n',
  date: new Date(1_234),
  big: 12_345_678_901_234_567_890n,
  map: new Map<unknown, unknown>([['k', new Set([1, 'two'])]]),
  bytes: new Uint8Array([0, 255, 10, 13]),
  numbers: [Number.NaN, Number.POSITIVE_INFINITY, -0, 0.1],
  hole: [undefined, null],
  tag: { $date: 'not ours' },
  proto: JSON.parse('{"__proto__": {"own": true}, "constructor": 1}') as unknown,
};

/** Counts to a number, a step each. */
export const counting = graph('counting', {
  state: { n: counter(), to: z.int(), kept: channel<unknown>(), log: list<string>() },
})
  .node('count', ({ state }) => ({ n: 1, kept: awkward, log: `at ${state.n}` }))
  .edge('start', 'count')
  .route('count', ['count', 'end'], ({ n, to }) => (n < to ? 'count' : 'end'))
  .compile();

/** Asks, and naps before it does. */
export const asking = workflow(
  'asking',
  {
    input: z.object({ of: z.string(), napMs: z.number().default(0) }),
    asks: { ok: { show: z.string(), answer: z.boolean() } },
  },
  async ({ of, napMs }, { ask: question, step, sleep }) => {
    const price = await step('price', () => of.length);
    if (napMs > 0) await sleep('nap', napMs);
    const isFine = await question('ok', `${of} for ${price}?`);
    return `${of}: ${isFine ? price : 'no'}`;
  },
);

/** Waits for a child that asks. */
export const mothering = workflow('mothering', { input: z.object({ of: z.string() }) }, async ({ of }, { child }) =>
  child('asks', asking, { of, napMs: 0 }),
);

/** Fails for good. */
const failing = workflow('failing', { input: z.null() }, (_, { step }) =>
  step('break', () => {
    throw new Error('broken');
  }),
);

/** The code of all runs. */
export const graphs: readonly AnyGraph[] = [counting, asking, mothering, failing];

/** Runs of every kind that there is. `count` makes more of the plain ones. */
export async function populate(engine: Engine, count = 1): Promise<void> {
  for (let at = 0; at < count; at += 1) {
    const run = await engine.start(counting, { to: 5 }, { id: `done-${at}`, tags: { at: String(at) } });
    await run.result();
  }
  await graphRuns(engine);
  await forks(engine);
  await loops(engine);
}

async function graphRuns(engine: Engine): Promise<void> {
  await (await engine.start(asking, { of: 'kelp' }, { id: 'waiting', tags: { kind: 'kelp' } })).outcome();
  const sleeping = await engine.start(asking, { of: 'sand', napMs: 3_600_000 }, { id: 'sleeping' });
  // Before it is asked for: it is kept.
  await sleeping.answer('ok', true);
  await (await engine.start(failing, null, { id: 'failed' })).outcome();
  await (await engine.start(asking, { of: 'wood' }, { id: 'cancelled' })).cancel('not wanted');
  await engine.start(mothering, { of: 'iron' }, { id: 'mother' });
  await untilAsked(engine, 'mother');
  const chat = await engine.start(counting, { to: 2 }, { id: 'chat', turn: 'one' });
  await chat.result();
  await (await engine.start(counting, { to: 4 }, { id: 'chat', turn: 'two' })).result();
  const trimmed = await engine.start(counting, { to: 12 }, { id: 'trimmed' });
  await trimmed.result();
  await engine.prune({ runId: 'trimmed', keep: 3 });
}

/** Looks until a question of the run, or of a child of it, is open. */
export async function untilAsked(engine: Engine, under: string): Promise<string> {
  for (;;) {
    for await (const { runId } of engine.asks({ under })) return runId;
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

async function forks(engine: Engine): Promise<void> {
  const done = await engine.get(counting, 'done-0');
  const middle: string[] = [];
  for await (const { id } of done.history()) middle.push(id);
  const fork = await done.fork({ at: middle[3], set: { to: 7 }, id: 'fork', label: 'further', resume: true });
  await fork.result();
  await (await fork.fork({ id: 'fork-of-fork', set: { to: 9 }, next: ['count'], resume: true })).result();
  await done.fork({ id: 'suspended', at: middle[2] });
  const gone = await engine.start(counting, { to: 6 }, { id: 'gone' });
  await gone.result();
  const places: string[] = [];
  for await (const { id } of gone.history()) places.push(id);
  await (await gone.fork({ at: places[2], id: 'orphan', resume: true })).result();
  await engine.delete('gone');
}

async function loops(engine: Engine): Promise<void> {
  const { journal, checkpoints } = engine;
  await journal.append('loop', { id: 'first', payload: awkward, labels: ['t'], meta: { m: 1 } });
  for (let step = 1; step <= 4; step += 1) {
    await journal.append('loop', { payload: step });
    await checkpoints.save('loop', {
      state: { step, awkward },
      superstep: step,
      covers: step,
      ...(step === 2 && { id: 'two' }),
    });
  }
  await checkpoints.prune('loop', { keep: 2 });
  const latest = await checkpoints.latest('loop');
  await checkpoints.fork(String(latest?.id), { id: 'loop-fork', set: { step: 10 } });
  await journal.append('loop-fork', { payload: 'on' });
  const agent = await openAgent(engine, { id: 'agent', initial: { seen: 0 } });
  agent.update({ seen: 3 });
  await agent.shutdown({ reason: 'moved' });
}
