import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../env/node-env.ts';
import { holdfastError } from '../errors/holdfast-error.ts';
import { create, notes, snapshotOf } from '../testing/contract/given.ts';
import { withCalls } from '../testing/with-calls.ts';
import { CheckedStore } from './checked-store.ts';
import { composeLoad } from './compose-load.ts';
import type { RunHeader } from './contract/run.ts';
import { MemoryDriver } from './memory/driver.ts';
import { MemoryPlace } from './memory/memory-place.ts';

/** A fork of a fork. */
async function setUp() {
  const driver = new MemoryDriver(new MemoryPlace(), nodeEnv);
  const store = new CheckedStore(driver, nodeEnv);
  await create(store, 'base', { entries: notes(3), snapshot: snapshotOf(3) });
  await create(store, 'middle', { forkedAt: { runId: 'base', seq: 3 }, entries: notes(2), snapshot: snapshotOf(5) });
  await create(store, 'leaf', { forkedAt: { runId: 'middle', seq: 5 } });
  return driver;
}

function bent(header: RunHeader): RunHeader {
  return header.runId === 'base' ? { ...header, forkedAt: { runId: 'leaf', seq: 1 } } : header;
}

describe('composeLoad()', () => {
  test('reads the snapshots of no run above one that has what is needed', async () => {
    const driver = await setUp();
    const asked: string[] = [];
    const counting = withCalls(driver, {
      snapshots: (query) => {
        asked.push(query.runId);
        return driver.snapshots(query);
      },
    });
    expect(await composeLoad(counting, { runId: 'leaf', limit: 9 })).toMatchObject({ snapshot: { runId: 'middle' } });
    expect(asked).toEqual(['leaf', 'middle']);
  });

  test('returns the rest when a run of the lineage is missing, and the reader finds the gap', async () => {
    const driver = await setUp();
    const without = withCalls(driver, {
      runs: async (query) => (query.runIds?.includes('base') ? { headers: [], corrupt: [] } : driver.runs(query)),
    });
    const loaded = await composeLoad(without, { runId: 'leaf', limit: 9 });
    expect(loaded?.lineage.map(({ runId }) => runId)).toEqual(['middle']);
  });

  test('rejects when a header of the lineage is corrupt', async () => {
    const driver = await setUp();
    const error = holdfastError('HOLDFAST_CORRUPT', 'Corrupt.');
    const corrupt = withCalls(driver, {
      runs: async (query) => (query.runIds?.includes('base') ? { headers: [], corrupt: [error] } : driver.runs(query)),
    });
    await expect(composeLoad(corrupt, { runId: 'leaf', limit: 9 })).rejects.toBe(error);
  });

  test('comes to an end where corrupt headers make a circle', async () => {
    const driver = await setUp();
    const circle = withCalls(driver, {
      runs: async (query) => {
        const { headers } = await driver.runs(query);
        return { headers: headers.map(bent), corrupt: [] };
      },
    });
    const loaded = await composeLoad(circle, { runId: 'leaf', limit: 9 });
    expect(loaded?.lineage.map(({ runId }) => runId)).toEqual(['middle', 'base']);
  });
});
