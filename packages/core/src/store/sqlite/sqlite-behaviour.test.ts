import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { batchOf } from '../../testing/contract/commit/seal-batch.ts';
import {
  commit,
  create,
  creationOf,
  externalWriteOf,
  headerOf,
  note,
  notes,
  ownerOf,
  refused,
  seqsOf,
  snapshotOf,
} from '../../testing/contract/given.ts';
import { failingDatabase, sqliteError } from '../../testing/sqlite/failing-database.ts';
import { inDirectory, type Opened, openAt, openRaw, stillEnv } from '../../testing/sqlite/sqlite-places.ts';
import { CheckedStore } from '../checked-store.ts';
import type { RecordQuery } from '../contract/read.ts';
import { openDriver } from '../store.ts';
import { sqliteStore } from './open.ts';

async function withStore<T>(body: (opened: Opened, path: string) => Promise<T>): Promise<T> {
  return inDirectory(async (directory) => {
    const path = join(directory, 'store.db');
    const opened = await openAt(path, stillEnv().env);
    try {
      return await body(opened, path);
    } finally {
      await opened.store.close();
    }
  });
}

function range(from: number, to: number): readonly number[] {
  return Array.from({ length: Math.max(0, to - from + 1) }, (_, at) => from + at);
}

async function readSeqs({ store }: Opened, query: Partial<RecordQuery>): Promise<readonly number[]> {
  const records = await store.records({ runId: 'run', order: 'oldest', limit: 1_000, ...query });
  return records.map(({ seq }) => seq);
}

describe('a long run', () => {
  /** Commits of very different sizes, some of which pass several marks. */
  const sizes = [1, 63, 1, 1, 64, 200, 1, 2, 3, 62, 1, 1, 65];
  const total = sizes.reduce((sum, size) => sum + size, 0);

  async function createLong({ store }: Opened): Promise<void> {
    await create(store, 'run', { worker: 'worker', entries: notes(sizes[0] ?? 0) });
    let expect = 1;
    for (const size of sizes.slice(1)) {
      await commit(store, ownerOf('run', { expect, fence: 1, entries: notes(size) }));
      expect += size;
    }
  }

  test('is read from any place on, in both directions', async () => {
    await withStore(async (opened) => {
      await createLong(opened);
      for (let seq = 0; seq <= total + 1; seq += 7) {
        expect(await readSeqs(opened, { after: seq, limit: 5 })).toEqual(range(seq + 1, Math.min(seq + 5, total)));
        const below = range(Math.max(1, seq - 5), Math.min(total, seq - 1)).toReversed();
        expect(await readSeqs(opened, { before: seq, order: 'newest', limit: 5 })).toEqual(below.slice(0, 5));
      }
      expect(await readSeqs(opened, {})).toEqual(range(1, total));
    });
  });

  test('is trimmed at any place, in the midst of commits and at their ends', async () => {
    await withStore(async (opened) => {
      await createLong(opened);
      let records = 0;
      for (const floor of [1, 2, 64, 65, 130, 329, 330, 400, total - 1]) {
        const result = await opened.store.trim({ runId: 'run', floor, snapshot: { head: null, body: null } });
        records += result.ok ? result.records : 0;
        expect(records).toBe(floor);
        expect(await readSeqs(opened, {})).toEqual(range(floor + 1, total));
        expect(await readSeqs(opened, { before: floor + 40, order: 'newest', limit: 3 })).toEqual(
          range(floor + 1, Math.min(total, floor + 39))
            .toReversed()
            .slice(0, 3),
        );
      }
      await commit(opened.store, ownerOf('run', { expect: total, fence: 1, entries: notes(70) }));
      expect(await readSeqs(opened, {})).toEqual(range(total, total + 70));
    });
  });

  test('is cut from above at any place', async () => {
    await withStore(async (opened) => {
      await createLong(opened);
      for (const keepTo of [total + 5, total, total - 1, 400, 330, 329, 128, 65, 64, 1, 0]) {
        await opened.store.trim({ runId: 'run', hide: { keepTo } });
        expect(await readSeqs(opened, {})).toEqual(range(1, Math.min(total, keepTo)));
      }
    });
  });

  test('is cut on both sides at once', async () => {
    await withStore(async (opened) => {
      await createLong(opened);
      const plan = { runId: 'run', floor: 100, snapshot: { head: null, body: null }, hide: { keepTo: 300 } };
      expect(await opened.store.trim({ ...plan, dryRun: true })).toMatchObject({ records: total - 200 });
      expect(await opened.store.trim(plan)).toMatchObject({ records: total - 200 });
      expect(await readSeqs(opened, {})).toEqual(range(101, 300));
      expect(await opened.store.trim({ runId: 'run', floor: 350, snapshot: { head: null, body: null } })).toMatchObject(
        { records: 200 },
      );
      expect(await readSeqs(opened, {})).toEqual([]);
    });
  });
});

describe('what a connection remembers', () => {
  test('is left aside when another has committed, claimed, trimmed or deleted', async () => {
    await inDirectory(async (directory) => {
      const path = join(directory, 'store.db');
      const { env } = stillEnv();
      const [mine, theirs] = [await openAt(path, env), await openAt(path, env)];
      await create(mine.store, 'run', { wakeAt: 1, tags: { a: '1' } });
      await commit(
        theirs.store,
        externalWriteOf('run', { expect: 1, header: { status: 'waiting', tags: { b: '2' } } }),
      );
      await refused(mine.store, 'head', externalWriteOf('run', { expect: 1 }));
      await commit(mine.store, externalWriteOf('run', { expect: 2, header: { status: 'waiting' } }));
      await theirs.store.claim({ type: 'heartbeat', worker: 'worker', leaseMs: 60_000 });
      await theirs.store.claim({ type: 'one', worker: 'worker', leaseMs: 60_000, runId: 'run', ifDue: false });
      await commit(mine.store, externalWriteOf('run', { expect: 3, header: { tags: { c: '3' } } }));
      await commit(theirs.store, ownerOf('run', { expect: 4, fence: 1 }));
      await theirs.store.trim({ runId: 'run', floor: 3, snapshot: { head: null, body: null } });
      await commit(mine.store, externalWriteOf('run', { expect: 5, header: { status: 'running' } }));
      const found = await headerOf(theirs.store, 'run');
      expect(found).toMatchObject({
        head: 6,
        floor: 3,
        worker: 'worker',
        fence: 1,
        tags: { c: '3' },
        status: 'running',
      });
      expect(found).toEqual(await headerOf(mine.store, 'run'));
      await theirs.store.trim({ runId: 'run', hide: { keepTo: 6 } });
      await refused(mine.store, 'missing', externalWriteOf('run', { expect: 6 }));
      await theirs.store.trim({ runId: 'run', remove: true });
      await refused(mine.store, 'missing', externalWriteOf('run', { expect: 6 }));
      await create(theirs.store, 'run', { entries: notes(6) });
      await commit(mine.store, externalWriteOf('run', { expect: 6 }));
      expect(await seqsOf(mine.store, 'run')).toEqual([1, 2, 3, 4, 5, 6, 7]);
      for (const { store } of [mine, theirs]) await store.close();
    });
  });

  test('is no more than it has room for', async () => {
    await withStore(async ({ driver }) => {
      const runs = Array.from({ length: 16_390 }, (_, at) => `run-${String(at).padStart(5, '0')}`);
      await driver.commit(runs.map((runId) => batchOf(creationOf(runId), { token: 't' })));
      const more = [runs[0], runs.at(-1)].map((id) =>
        batchOf(externalWriteOf(id as string, { expect: 1 }), { token: 'u' }),
      );
      expect(await driver.commit(more)).toEqual([{ ok: true }, { ok: true }]);
    });
  });
});

describe('commit()', () => {
  test('takes a batch without a record', async () => {
    await withStore(async ({ driver, store }) => {
      await create(store, 'run', { snapshot: snapshotOf(1, 'old') });
      const batch = batchOf(externalWriteOf('run', { expect: 1 }), { token: 'second' });
      const snapshot = { covers: 1, seq: 1, head: { text: '"h"', crc: 1 }, body: { text: '"b"', crc: 2 } };
      const empty = { ...batch, records: [], header: { status: 'failed' as const }, snapshot };
      expect(await driver.commit([empty])).toEqual([{ ok: true }]);
      expect(await headerOf(store, 'run')).toMatchObject({ head: 1, status: 'failed' });
      expect(await driver.snapshots({ runId: 'run', limit: 9, bodies: true })).toEqual([snapshot]);
      const other = await driver.commit([{ ...empty, token: 'third', snapshot: { ...snapshot, body: undefined } }]);
      expect(other).toEqual([{ ok: true }]);
    });
  });

  test('finds runs by age also when a clock was set back', async () => {
    await withStore(async ({ driver, store }) => {
      await driver.commit([
        batchOf(creationOf('a', { createdAt: 1_000 }), { token: 't', at: 500 }),
        batchOf(creationOf('b', { createdAt: 1_000 }), { token: 't', at: 2_000 }),
      ]);
      const found = async (): Promise<readonly string[]> => {
        const runs = await store.runs({ updatedBefore: 600, order: 'oldest', limit: 10 });
        return runs.map(({ runId }) => runId);
      };
      expect(await found()).toEqual(['a']);
      await driver.commit([batchOf(externalWriteOf('b', { expect: 1 }), { token: 'u', at: 550 })]);
      expect(await found()).toEqual(['a', 'b']);
    });
  });

  test('takes times of a clock that tells fractions', async () => {
    await withStore(async ({ driver, store }) => {
      await driver.commit([batchOf(creationOf('a', { createdAt: 1_000.1 }), { token: 't', at: 1_763_000_000_000.3 })]);
      const { createdAt, updatedAt } = await headerOf(store, 'a');
      expect(createdAt).toBe(1_000.1);
      expect(updatedAt).toBeCloseTo(1_763_000_000_000.3, 2);
    });
  });

  test('takes at most 128 bytes of the file for a small step', async () => {
    await withStore(async ({ driver, store }, path) => {
      const raw = await openRaw(path);
      const settledSize = async (): Promise<number> => {
        raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        return (await stat(path)).size;
      };
      await create(store, 'run', { worker: 'worker' });
      const before = await settledSize();
      const steps = 3_000;
      for (let seq = 1; seq <= steps; seq += 1) {
        const step = ownerOf('run', { expect: seq, fence: 1, entries: [note({ n: seq })], header: { superstep: seq } });
        await driver.commit([batchOf(step, { token: '01jtrivialtoken00000000000' })]);
      }
      expect(((await settledSize()) - before) / steps).toBeLessThanOrEqual(128);
      raw.close();
    });
  }, 120_000);
});

describe('runs()', () => {
  test('chooses the shortest way, and finds the same on all', async () => {
    await withStore(async ({ driver, store }) => {
      const runs = Array.from(
        { length: 2_600 },
        (_, at) => `${at % 2 === 0 ? 'even' : 'odd'}-${String(at).padStart(4, '0')}`,
      );
      const creations = runs.map((runId, at) =>
        creationOf(runId, {
          createdAt: 1_000 + Math.floor(at / 3),
          graph: `graph-${at % 2}`,
          status: at % 5 === 0 ? 'failed' : 'completed',
          tags: at % 100 === 0 ? { rare: 'yes', common: 'yes' } : { common: 'yes' },
        }),
      );
      const sorted = creations.toSorted((a, b) => (a.runId < b.runId ? -1 : 1));
      await driver.commit(sorted.map((creation) => batchOf(creation, { token: 't' })));
      const count = async (query: object): Promise<number> =>
        (await store.runs({ order: 'newest', limit: 1_000, ...query })).length;
      expect(await count({ tags: { rare: 'yes', common: 'yes' } })).toBe(26);
      expect(await count({ tags: { common: 'yes', rare: 'yes' }, status: ['failed'] })).toBe(26);
      expect(await count({ tags: { common: 'yes' }, graph: 'graph-1', idPrefix: 'even-' })).toBe(0);
      expect(await count({ idPrefix: 'odd-00' })).toBe(50);
      expect(await count({ idPrefix: 'odd-00', tags: { rare: 'yes' } })).toBe(0);
      expect(await count({ idPrefix: '', graph: 'graph-1' })).toBe(1_000);
      expect(await count({ idPrefix: 'even-', tags: { rare: 'yes' } })).toBe(26);
      expect(await count({ forkOf: 'nobody' })).toBe(0);
    });
  });
});

describe('trim()', () => {
  test('gives the room back to the file system', async () => {
    await withStore(async ({ store }, path) => {
      const raw = await openRaw(path);
      const settledSize = async (): Promise<number> => {
        raw.exec('PRAGMA wal_checkpoint(TRUNCATE)');
        return (await stat(path)).size;
      };
      const before = await settledSize();
      await create(store, 'run', {
        entries: [note('x'.repeat(4_000_000))],
        snapshot: snapshotOf(1, 'y'.repeat(2_000_000)),
      });
      expect(await settledSize()).toBeGreaterThan(before + 5_000_000);
      await store.trim({ runId: 'run', remove: true });
      expect(await settledSize()).toBeLessThan(before + 500_000);
      raw.close();
    });
  });

  test('frees room on a disk that has none for giving it back', async () => {
    await inDirectory(async (directory) => {
      const database = await openRaw(join(directory, 'store.db'));
      const full = failingDatabase(database, (sql) =>
        sql.includes('incremental_vacuum') ? sqliteError(13) : undefined,
      );
      const store = new CheckedStore(await openDriver(sqliteStore(full), nodeEnv), nodeEnv);
      await create(store, 'run', { entries: [note('x'.repeat(4_000_000))] });
      expect(await store.trim({ runId: 'run', remove: true })).toMatchObject({ ok: true, records: 1 });
      expect(await store.header('run')).toBeUndefined();
      await store.close();
      database.close();
    });
  });

  test('is done where only the last of the room cannot be given back', async () => {
    await inDirectory(async (directory) => {
      const database = await openRaw(join(directory, 'store.db'));
      let slices = 0;
      const fails = (sql: string): Error | undefined => {
        if (!sql.includes('incremental_vacuum')) return undefined;
        slices += 1;
        return slices === 2 ? sqliteError(13) : undefined;
      };
      const given = failingDatabase(database, fails);
      const store = new CheckedStore(await openDriver(sqliteStore(given), nodeEnv), nodeEnv);
      await create(store, 'run', { entries: [note('x'.repeat(4_000_000))] });
      expect(await store.trim({ runId: 'run', remove: true })).toMatchObject({ ok: true, records: 1 });
      expect(slices).toBe(2);
      await store.close();
      database.close();
    });
  });
});
