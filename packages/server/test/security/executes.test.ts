// A server executes nothing unless its engine was told to: web processes come and go, and a run would go with them.
import { expect } from 'vitest';
import { newStore, testEverywhere } from '../every-store.ts';
import { openHere, served } from '../fixture.ts';

testEverywhere(
  'commands to an engine that does not execute are journalled, and a worker carries them out',
  async () => {
    const store = newStore();
    const here = await served({ engine: await openHere({ executes: false }, store) });
    const input = { order: 'o', cents: 1 };
    expect((await here.ask('POST', '/runs', { graph: 'refunds', input, id: 'r' })).status).toBe(201);
    // Reading the run in every way executes nothing either.
    for (const path of ['/runs/r', '/runs/r/timeline', '/asks', '/runs/r/state', '/graphs/refunds/check'])
      expect((await here.ask('GET', path)).status).toBe(200);
    expect((await here.ask('GET', '/runs/r')).body).toMatchObject({ status: 'pending', superstep: 0, worker: null });
    const worker = await openHere({}, store);
    await worker.recover();
    expect(await worker.get('r').outcome()).toMatchObject({ status: 'waiting' });
    expect((await here.ask('POST', '/runs/r/answer', { name: 'approve', value: { ok: true } })).status).toBe(200);
    await worker.recover();
    expect(await worker.get('r').outcome()).toMatchObject({ status: 'completed' });
  },
);
