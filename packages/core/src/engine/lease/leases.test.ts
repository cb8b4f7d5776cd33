import { describe, expect, test } from 'vitest';
import type { Env } from '../../env/env.ts';
import { nodeEnv } from '../../env/node-env.ts';
import { CheckedStore } from '../../store/checked-store.ts';
import type { StoreDriver } from '../../store/contract/driver.ts';
import type { ClaimRequest } from '../../store/contract/lease.ts';
import { MemoryDriver } from '../../store/memory/driver.ts';
import { MemoryPlace } from '../../store/memory/memory-place.ts';
import { storeFault } from '../../store/store-fault.ts';
import { createGraphRun } from '../../testing/memory-parts.ts';
import { virtualClock } from '../../testing/virtual-clock.ts';
import { Leases } from './leases.ts';

const leaseMs = 3_000;
const graphs = [{ name: 'g' }];

type Claim = StoreDriver['claim'];

/** The leases of worker `a` in a place with one due run; `around` may fail its claims. */
async function leasesWith(
  around: (request: ClaimRequest, claim: Claim) => ReturnType<Claim> = (request, claim) => claim(request),
) {
  const clock = virtualClock();
  const env: Env = { ...nodeEnv, clock, random: () => 0, monotonicMs: () => clock.now() };
  const place = new MemoryPlace();
  const driver = new MemoryDriver(place, env);
  const requests: ClaimRequest[] = [];
  const claim = driver.claim.bind(driver);
  driver.claim = (request) => {
    requests.push(request);
    return around(request, claim);
  };
  const store = new CheckedStore(driver, env);
  await createGraphRun(store, 'run');
  return {
    clock,
    env,
    store,
    requests,
    other: new MemoryDriver(place, env),
    leases: new Leases({ store, env, worker: 'a', leaseMs, onOrphan: () => {} }),
  };
}

const lost = (): Error => storeFault({ effect: 'unknown', transient: true, cause: new Error('lost') });

describe('leases', () => {
  test('a run whose claim was made and not answered is released and leased again', async () => {
    let claims = 0;
    const { clock, leases, store } = await leasesWith(async (request, claim) => {
      const answer = await claim(request);
      claims += request.type === 'one' ? 1 : 0;
      if (claims === 1 && request.type === 'one') throw lost();
      return answer;
    });
    const acquiring = leases.acquire('run', { ifDue: true });
    await clock.advance(1_000);
    const { run } = await acquiring;
    expect(run?.header).toMatchObject({ worker: 'a', fence: 2, claims: 0 });
    expect(await store.header('run')).toMatchObject({ worker: 'a', fence: 2 });
  });

  test('a worker that was cut off takes nothing over until the others had time to come back', async () => {
    let isOut = false;
    const { clock, leases, other } = await leasesWith((request, claim) =>
      isOut ? Promise.reject(storeFault({ effect: 'none', cause: new Error('away') })) : claim(request),
    );
    await other.claim({ type: 'one', worker: 'b', leaseMs, runId: 'run', ifDue: true });
    await leases.alive();
    isOut = true;
    await clock.advance(leaseMs + 1);
    await expect(leases.renew()).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FAILED' });
    isOut = false;
    expect((await leases.acquireDue(graphs, 1)).claimed).toEqual([]);
    expect(await leases.acquire('run', { ifDue: true })).toMatchObject({
      run: undefined,
      nextDueAt: expect.any(Number),
    });
    expect((await leases.acquire('run', { ifDue: false })).run).toBeUndefined();
    await clock.advance(leaseMs / 3);
    expect((await leases.acquireDue(graphs, 1)).claimed).toHaveLength(1);
  });

  test('a refused run is left out of the next claims, with the reason beside it', async () => {
    const { leases, store } = await leasesWith();
    const refusal = { code: 'HOLDFAST_VERSION', message: 'too old' };
    await leases.acquireDue(graphs, 1);
    await leases.release('run', refusal);
    expect((await leases.acquireDue(graphs, 1)).claimed).toEqual([]);
    expect(await store.header('run')).toMatchObject({ worker: null, claims: 0, head: 1, refusals: [refusal] });
  });

  test('the store is asked for its time once', async () => {
    const { leases, requests } = await leasesWith();
    await leases.knowTime();
    await leases.knowTime();
    expect(requests).toEqual([{ type: 'alive', worker: 'a' }]);
  });

  test('a lease that is half over is renewed, and a fresh one is not', async () => {
    const { clock, leases, requests } = await leasesWith();
    await leases.alive();
    await leases.alive();
    await clock.advance(leaseMs / 2);
    await leases.alive();
    expect(requests.map(({ type }) => type)).toEqual(['heartbeat', 'heartbeat']);
  });

  test('one worker of the fleet is on duty', async () => {
    const { clock, env, store, leases } = await leasesWith();
    const second = new Leases({ store, env, worker: 'b', leaseMs, onOrphan: () => {} });
    expect(await leases.isOnDuty('sweep', 1_000)).toBe(true);
    expect(await second.isOnDuty('sweep', 1_000)).toBe(false);
    await clock.advance(1_000);
    expect(await second.isOnDuty('sweep', 1_000)).toBe(true);
  });

  test('closing releases the runs', async () => {
    const { leases, store } = await leasesWith();
    await leases.acquireDue(graphs, 1);
    await leases.close();
    expect(await store.header('run')).toMatchObject({ worker: null });
  });
});
