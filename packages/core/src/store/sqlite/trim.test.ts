import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { verifyStore } from '../../journal/verify.ts';
import {
  commit,
  create,
  externalWriteOf,
  idsOf,
  note,
  notes,
  ownerOf,
  seqsOf,
  snapshotOf,
} from '../../testing/contract/given.ts';
import { inDirectory, openAt, openRaw } from '../../testing/sqlite/sqlite-places.ts';
import type { CheckedStore } from '../checked-store.ts';
import type { TrimPlan, TrimResult } from '../contract/retention.ts';
import { Connection } from './connection/connection.ts';
import type { SqliteDatabase } from './connection/database.ts';
import { tablesOf } from './run/tables.ts';
import { Trimmer } from './trim.ts';

interface Given {
  readonly store: CheckedStore;
  /** Carries out one piece of a plan, of at most three rows. */
  readonly piece: (plan: TrimPlan) => Promise<TrimResult>;
  readonly raw: SqliteDatabase;
}

async function withPieces(body: (given: Given) => Promise<void>): Promise<void> {
  await inDirectory(async (directory) => {
    const path = join(directory, 'store.db');
    const { store } = await openAt(path);
    const raw = await openRaw(path);
    const connection = new Connection({ database: raw, env: nodeEnv });
    const trimmer = new Trimmer(tablesOf(connection), { rows: 3 });
    await body({ store, raw, piece: (plan) => connection.write(() => trimmer.trim(plan, Date.now())) });
    expect(await verifyStore(store)).toMatchObject({ ok: true });
    raw.close();
    await store.close();
  });
}

/** A run with ten commits of two records, and a snapshot at each second one. */
async function createTen(store: CheckedStore, runId = 'run'): Promise<void> {
  await create(store, runId, { worker: 'worker', entries: notes(2), tags: { team: 'red' } });
  for (let expect = 2; expect < 20; expect += 2) {
    const entries = [note(expect), note(expect, `id-${expect}`)];
    const snapshot = expect % 4 === 2 ? snapshotOf(expect + 2) : undefined;
    await commit(store, ownerOf(runId, { expect, fence: 1, entries, ...(snapshot && { snapshot }) }));
  }
}

async function toEnd(piece: Given['piece'], plan: TrimPlan): Promise<void> {
  for (;;) {
    const result = await piece(plan);
    if (!result.ok || !result.more) return;
  }
}

function countOf(raw: SqliteDatabase, table: string): number {
  return (raw.prepare(`SELECT count(*) AS n FROM ${table}`).get() as { readonly n: number }).n;
}

describe('trim(), piece by piece', () => {
  test('shows the new floor at once, and drops the rest later', async () => {
    await withPieces(async ({ store, raw, piece }) => {
      await createTen(store);
      const plan = { runId: 'run', floor: 16 };
      expect(await piece(plan)).toMatchObject({ ok: true, records: 6, snapshots: 3, more: true });
      expect(await seqsOf(store, 'run')).toEqual([17, 18, 19, 20]);
      expect(await store.snapshots({ runId: 'run', limit: 9, bodies: false })).toMatchObject([
        { covers: 20 },
        { covers: 16 },
      ]);
      expect(await store.ids({ runId: 'run', id: 'id-2', limit: 1 })).toHaveLength(1);
      await commit(store, externalWriteOf('run', { expect: 20, entries: [note(1, 'id-2')] }));
      expect(await piece(plan)).toMatchObject({ records: 6, snapshots: 0, more: true });
      expect(await piece(plan)).toMatchObject({ records: 4, more: false });
      expect(await piece(plan)).toMatchObject({ records: 0, snapshots: 0, more: false });
      expect(await seqsOf(store, 'run')).toEqual([17, 18, 19, 20, 21]);
      expect(await store.ids({ runId: 'run', id: 'id-2', limit: 1 })).toMatchObject([{ seq: 21 }]);
      expect(countOf(raw, 'rows')).toBe(3);
    });
  });

  test('continues where a higher floor came meanwhile, in the midst of a commit', async () => {
    await withPieces(async ({ store, raw, piece }) => {
      await createTen(store);
      expect(await piece({ runId: 'run', floor: 12 })).toMatchObject({ records: 6, more: true });
      const floor = 17;
      await store.trim({ runId: 'run', floor, snapshot: { head: null, body: null } });
      expect(await seqsOf(store, 'run')).toEqual([18, 19, 20]);
      expect(countOf(raw, 'rows')).toBe(2);
    });
  });

  test('drops everything below a floor at the head, and continues from there', async () => {
    await withPieces(async ({ store, raw, piece }) => {
      await createTen(store);
      const plan = { runId: 'run', floor: 20 };
      expect(await piece(plan)).toMatchObject({ records: 6, more: true });
      expect(await seqsOf(store, 'run')).toEqual([]);
      await commit(store, externalWriteOf('run', { expect: 20 }));
      expect(await seqsOf(store, 'run')).toEqual([21]);
      await toEnd(piece, plan);
      expect(await seqsOf(store, 'run')).toEqual([21]);
      expect(countOf(raw, 'rows')).toBe(1);
    });
  });

  test('hides a run at once, and drops what lies past what it keeps later', async () => {
    await withPieces(async ({ store, raw, piece }) => {
      await createTen(store);
      const plan = { runId: 'run', hide: { keepTo: 5 } };
      expect(await piece(plan)).toMatchObject({ records: 6, snapshots: 3, more: true });
      expect(await seqsOf(store, 'run')).toEqual([1, 2, 3, 4, 5]);
      expect(await store.snapshots({ runId: 'run', limit: 9, bodies: false })).toMatchObject([{ covers: 4 }]);
      await toEnd(piece, plan);
      expect(await seqsOf(store, 'run')).toEqual([1, 2, 3, 4, 5]);
      expect(countOf(raw, 'rows')).toBe(3);
    });
  });

  test('frees the id of a removed run at once, and drops the rest later', async () => {
    await withPieces(async ({ store, raw, piece }) => {
      await createTen(store);
      await createTen(store, 'left');
      // Of one that nobody comes back to, something is left.
      expect(await piece({ runId: 'left', remove: true })).toMatchObject({ more: true });
      const plan = { runId: 'run', remove: true };
      expect(await piece(plan)).toMatchObject({ ok: true, records: 6, snapshots: 3, more: true });
      expect(await idsOf(store)).toEqual([]);
      expect(await idsOf(store, { hidden: true })).toEqual([]);
      expect(await idsOf(store, { tags: { team: 'red' } })).toEqual([]);
      expect(await store.header('run')).toBeUndefined();
      expect(await piece({ ...plan, dryRun: true })).toEqual({ ok: false, why: 'missing' });
      await toEnd(piece, plan);
      await create(store, 'run');
      await store.trim({ runId: 'run', remove: true });
      for (const table of ['runs', 'heads', 'rows', 'snapshots', 'ids', 'facets']) expect(countOf(raw, table)).toBe(0);
      expect(await piece(plan)).toEqual({ ok: false, why: 'missing' });
    });
  });

  test('drops checkpoints by name, however many', async () => {
    await withPieces(async ({ store, piece }) => {
      await createTen(store);
      const drop = [4, 8, 12, 16].map((covers) => ({ covers, seq: covers }));
      expect(await piece({ runId: 'run', drop })).toMatchObject({ snapshots: 4, records: 0, more: false });
      expect(await store.snapshots({ runId: 'run', limit: 9, bodies: false })).toMatchObject([{ covers: 20 }]);
    });
  });
});

describe('corruption below a new floor', () => {
  test.each([
    ['a checksum that does not match', 'UPDATE rows SET sum = sum + 1 WHERE seq = 2'],
    ['a missing row', 'DELETE FROM rows WHERE seq = 2'],
  ])('does not keep a prune from dropping it: %s', async (_, sql) => {
    await withPieces(async ({ store, raw, piece }) => {
      await create(store, 'run', { worker: 'w', entries: notes(1) });
      for (let expect = 1; expect < 6; expect += 1)
        await commit(store, ownerOf('run', { expect, fence: 1, entries: notes(1), snapshot: snapshotOf(expect + 1) }));
      raw.exec(sql);
      while (((await piece({ runId: 'run', floor: 4 })) as { readonly more?: boolean }).more);
      expect(await seqsOf(store, 'run')).toEqual([5, 6]);
      expect(raw.prepare('SELECT count(*) AS count FROM rows').get()).toMatchObject({ count: 2 });
    });
  });
});
