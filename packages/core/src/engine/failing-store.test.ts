import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { channel } from '../channel/channel.ts';
import { nodeEnv } from '../env/node-env.ts';
import { graph } from '../graph/graph.ts';
import type { Graph, Shape } from '../graph/shape.ts';
import { memoryStore } from '../store/memory/open.ts';
import { defineStore, openDriver, openStore, type Store } from '../store/store.ts';
import { type FaultPlan, scriptedFaults } from '../testing/fault/fault-plan.ts';
import { faultyStore } from '../testing/fault/faulty-store.ts';
import type { Engine } from './engine.ts';
import { openEngineIn } from './open.ts';

const simple = graph('simple', { state: { sum: channel<number>() } })
  .node('one', () => ({ sum: 1 }))
  .node('two', async ({ state, step }) => ({ sum: await step('add', () => (state.sum ?? 0) + 1) }))
  .edge('start', 'one')
  .edge('one', 'two')
  .edge('two', 'end')
  .compile();

const asks = graph('asks', {
  state: { said: channel<string>() },
  asks: { ok: { show: z.string(), answer: z.string() } },
})
  .node('wait', async ({ ask, sleep }) => {
    await sleep('nap', 5);
    return { said: await ask('ok', 'ok?') };
  })
  .edge('start', 'wait')
  .edge('wait', 'end')
  .compile();

/** Submits a run to a store, and has a worker in another environment execute it. */
async function execute<S extends Shape>(code: Graph<S>, store: Store, behindMs = 0): Promise<Engine> {
  const { clock } = nodeEnv;
  const late = { ...clock, now: () => clock.now() - behindMs };
  const engine = await openEngineIn({ ...nodeEnv, clock: late, warn: () => {} }, store, { graphs: [code] });
  engine.work();
  return engine;
}

async function submitted(plan: FaultPlan): Promise<Store> {
  const store = memoryStore();
  const client = await openEngineIn(nodeEnv, store, { executes: false });
  await client.submit(simple, {}, { id: 'run' });
  await client.close();
  return faultyStore(store, plan);
}

describe('an engine whose store fails now and then', () => {
  test('continues a run whose claim succeeded but whose answer was lost', async () => {
    await using engine = await execute(simple, await submitted(scriptedFaults({ claim: [undefined, 'lost-answer'] })));
    expect((await waitFor(engine)).status).toBe('completed');
  });

  test.each(['none', 'lost-request', 'lost-answer'] as const)(
    'continues with a run whose commit failed: %s',
    async (kind) => {
      await using engine = await execute(simple, await submitted(scriptedFaults({ commit: [undefined, kind] })));
      expect((await waitFor(engine)).status).toBe('completed');
    },
  );

  test.each(['poison', 'poison-lost-answer'] as const)(
    'opens a store again that cannot be trusted any more, and continues with its runs: %s',
    async (kind) => {
      await using engine = await execute(simple, await submitted(scriptedFaults({ commit: [undefined, kind] })));
      expect((await waitFor(engine)).status).toBe('completed');
    },
  );

  test('does not take a store that fails now and then for a crash loop', async () => {
    // Whoever executes the run fails, and whoever releases it does not.
    const commit = Array.from({ length: 16 }, (_, at) => (at % 2 === 0 ? 'none' : undefined));
    await using engine = await execute(simple, await submitted(scriptedFaults({ commit })));
    expect((await waitFor(engine)).status).toBe('completed');
  });

  test('continues a run although its clock is behind that of the store', async () => {
    const inside = memoryStore();
    const store = defineStore(() => openDriver(inside, nodeEnv));
    const client = await openEngineIn(nodeEnv, store, { executes: false });
    await client.submit(asks, {}, { id: 'run' });
    await using engine = await execute(asks, store, 400);
    const run = await client.get(asks, 'run');
    await run.answer('ok', 'yes');
    expect((await waitFor(engine)).status).toBe('completed');
  });

  test('does not claim a run again and again that was woken for nothing', async () => {
    const store = memoryStore();
    await using engine = await execute(asks, store);
    await engine.submit(asks, {}, { id: 'run' });
    const raw = await openStore(store, nodeEnv);
    await expect.poll(async () => (await raw.header('run'))?.waits.map(({ kind }) => kind)).toEqual(['ask']);
    const head = (await raw.header('run'))?.head ?? 0;
    const entries = [{ kind: 'answer', at: 0, payload: { wait: 'nobody', child: 'nobody' } }] as const;
    await raw.commit({
      runId: 'run',
      writer: { by: 'external' },
      expect: head,
      entries,
      header: { wakeAt: Date.now() },
    });
    await expect.poll(async () => (await raw.header('run'))?.wakeAt).toBe(null);
    expect(await raw.header('run')).toMatchObject({ status: 'waiting', claims: 0 });
  });
});

async function waitFor(engine: Engine): Promise<{ readonly status: string }> {
  const run = await engine.get('run');
  // A store that is being opened again refuses to be read.
  const status = (): Promise<string> => run.summary().then((found) => found.status, String);
  await expect.poll(status).toBe('completed');
  return run.summary();
}
