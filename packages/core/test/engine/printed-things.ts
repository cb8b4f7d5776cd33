import {
  type Checkpoint,
  graph,
  list,
  map,
  messages,
  type Outcome,
  type RunEvent,
  type RunSummary,
  workflow,
} from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { z } from 'zod';
import { all, type describeEverywhere } from './every-place.ts';

const refunds = graph('refunds', {
  state: {
    order: z.string(),
    log: list<string>(),
    paid: z.date().optional(),
    chat: messages<{ id?: string; role: 'user'; content: string }>(),
    items: map<number>(),
  },
  asks: { approve: { show: z.object({ amount: z.number() }), answer: z.boolean() } },
})
  .node('check', () => ({ log: 'checked', paid: new Date(0) }))
  .node('decide', async ({ ask }) => ({ log: `approved: ${await ask('approve', { amount: 5 })}` }))
  .edge('start', 'check')
  .edge('check', 'decide')
  .edge('decide', 'end')
  .compile();

const failing = workflow('failing', { input: z.object({}) }, () => {
  throw Object.assign(new Error('no route'), { status: 502 });
});

const input = { order: 'o-1', chat: { id: 'm-1', role: 'user', content: 'refund me' }, items: { cup: 2 } } as const;

interface Shown {
  readonly result: unknown;
  readonly state: unknown;
  readonly checkpoint: Checkpoint;
  readonly run: object;
  readonly started: object;
  readonly summary: RunSummary;
  readonly waiting: Outcome;
  readonly event: RunEvent | undefined;
  readonly error: Error;
  readonly failed: RunEvent | undefined;
}

/** One of each thing that people print. */
export async function shownOn(place: Parameters<Parameters<typeof describeEverywhere>[1]>[0]): Promise<Shown> {
  const engine = await place().open({ clock: virtualClock(new Date(0)), workerId: 'w' });
  const run = await engine.start(refunds, input, { id: 'r' });
  const waiting = (await run.outcome()) as Outcome;
  const state = await run.state();
  const checkpoint = await run.checkpoint();
  const events = await all(run.events({ until: 'idle' }));
  await run.answer('approve', true, { by: 'ada' });
  const result = await run.result();
  const summary = await run.summary();
  const started = engine.get(refunds, 'r');
  await started;
  const lost = engine.start(failing, {}, { id: 'f' });
  const error = await lost.result().then(
    () => new Error('it completed'),
    (thrown: Error) => thrown,
  );
  const failed = (await all(lost.events())).find(({ type }) => type === 'node-error') as RunEvent | undefined;
  const event = events.find(({ type }) => type === 'wait') as RunEvent | undefined;
  return { result, state, checkpoint, run, started, summary, waiting, event, error, failed };
}
