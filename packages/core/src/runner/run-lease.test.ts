import { describe, expect, test } from 'vitest';
import type { Env } from '../env/env.ts';
import { nodeEnv } from '../env/node-env.ts';
import { newMeter } from '../history/snapshot-policy.ts';
import type { CheckedStore, ClaimedRun } from '../store/checked-store.ts';
import { memoryStore } from '../store/memory/open.ts';
import { openStore } from '../store/store.ts';
import { type FaultPlan, scriptedFaults } from '../testing/fault/fault-plan.ts';
import { faultyStore } from '../testing/fault/faulty-store.ts';
import { livingWorker } from '../testing/living-worker.ts';
import { createGraphRun } from '../testing/memory-parts.ts';
import { virtualClock } from '../testing/virtual-clock.ts';
import { newRunState } from './fold/run-state.ts';
import { RunLease } from './run-lease.ts';

const note = { kind: 'note', at: 0 } as const;

async function openWith(plan: FaultPlan = () => undefined, env: Env = nodeEnv): Promise<CheckedStore> {
  const store = await openStore(faultyStore(memoryStore(), plan), env);
  await createGraphRun(store, 'run');
  return store;
}

async function own(store: CheckedStore, worker: string, leaseMs = 60_000): Promise<RunLease> {
  const { claimed } = await store.claim({ type: 'one', worker, leaseMs, runId: 'run', ifDue: false });
  const { header } = claimed[0] as ClaimedRun;
  const state = { ...newRunState('run'), head: header.head };
  return new RunLease({ store, env: nodeEnv, worker: livingWorker, lapses: 0, header, state, meter: newMeter });
}

const headOf = async (store: CheckedStore): Promise<number | undefined> => (await store.header('run'))?.head;

describe('RunLease', () => {
  test('writes what is put aside after a flush with the next one', async () => {
    const store = await openWith();
    const owned = await own(store, 'w');
    for (let count = 0; count < 3; count += 1) {
      owned.add(note);
      await owned.flush();
    }
    expect(await headOf(store)).toBe(4);
  });

  test('writes in one commit what is flushed while another one is in flight', async () => {
    let commits = 0;
    const store = await openWith(({ method }) => {
      if (method === 'commit') commits += 1;
      return undefined;
    });
    const owned = await own(store, 'w');
    const before = commits;
    const first = owned.commit([note]);
    const flushes = [1, 2, 3].map(() => {
      owned.add(note);
      return owned.flush();
    });
    await Promise.all([first, ...flushes]);
    expect({ commits: commits - before, head: await headOf(store) }).toEqual({ commits: 2, head: 5 });
  });

  test('fails a flush that waits for a commit which fails', async () => {
    const store = await openWith(scriptedFaults({ commit: [undefined, 'none'] }));
    const owned = await own(store, 'w');
    const commit = owned.commit([note]);
    const flush = owned.flush();
    await expect(commit).rejects.toThrow('store failed');
    await expect(flush).rejects.toThrow('store failed');
    expect(owned.isLeasedElsewhere).toBe(false);
  });

  test('takes records that only an owner writes for the loss of the run', async () => {
    const clock = virtualClock();
    const store = await openWith(undefined, { ...nodeEnv, clock });
    const first = await own(store, 'first', 1_000);
    await clock.advance(1_000);
    const second = await own(store, 'second');
    await second.commit([{ kind: 'timer', at: 0, payload: {} }]);
    await expect(first.refresh()).rejects.toThrow('no longer leases');
    expect(first).toMatchObject({ isLeasedElsewhere: true, state: { head: 1 } });
  });

  test('takes in what external writers write', async () => {
    const store = await openWith();
    const owned = await own(store, 'w');
    await store.commit({ runId: 'run', writer: { by: 'external' }, expect: 1, entries: [note] });
    expect(await owned.refresh()).toBe(true);
    expect(owned.state.head).toBe(2);
  });
});
