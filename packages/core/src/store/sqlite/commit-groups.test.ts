import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { verifyStore } from '../../journal/verify.ts';
import { commit, create, note, notes, ownerOf, seqsOf, snapshotOf } from '../../testing/contract/given.ts';
import { inDirectory, openAt, openRaw, stillEnv } from '../../testing/sqlite/sqlite-places.ts';
import type { Commit } from '../check/check-commit.ts';
import type { CheckedStore } from '../checked-store.ts';

const names = Array.from({ length: 20 }, (_, index) => `run-${String(index).padStart(2, '0')}`);

/** Two connections to one file, as two processes have, and twenty runs that the first knows. */
async function withTwo(body: (mine: CheckedStore, theirs: CheckedStore, path: string) => Promise<void>): Promise<void> {
  await inDirectory(async (directory) => {
    const path = join(directory, 'store.db');
    const [mine, theirs] = [await openAt(path, stillEnv().env), await openAt(path, stillEnv().env)];
    try {
      for (const runId of names) await create(mine.store, runId, { worker: 'worker' });
      await body(mine.store, theirs.store, path);
    } finally {
      await mine.store.close();
      await theirs.store.close();
    }
  });
}

function step(runId: string, head: number, more: Partial<Commit> = {}): Commit {
  return { ...ownerOf(runId, { expect: head, fence: 1, entries: notes(1) }), ...more };
}

async function countRows(path: string): Promise<unknown> {
  const database = await openRaw(path);
  const { count } = database.prepare('SELECT count(*) AS count FROM rows').get() as { readonly count: unknown };
  database.close();
  return count;
}

describe('a group of many runs', () => {
  test('is committed whole, a step after the other, past the marks of each run', async () => {
    await withTwo(async (mine, theirs) => {
      for (let head = 1; head < 70; head += 1) await Promise.all(names.map((runId) => commit(mine, step(runId, head))));
      for (const runId of names) {
        const around = await theirs.records({ runId, after: 62, order: 'oldest', limit: 3 });
        expect(around.map(({ seq }) => seq)).toEqual([63, 64, 65]);
        expect(await seqsOf(theirs, runId)).toHaveLength(70);
        expect(await theirs.header(runId)).toMatchObject({ head: 70, fence: 1 });
      }
      expect((await verifyStore(theirs)).corruption).toEqual([]);
    });
  });

  test('goes on without the run that another process was faster with, and leaves nothing of it', async () => {
    await withTwo(async (mine, theirs, path) => {
      await commit(theirs, step('run-03', 1));
      const outcomes = await Promise.all(names.map((runId) => mine.commit(step(runId, 1))));
      expect(outcomes.map(({ ok }) => ok)).toEqual(names.map((runId) => runId !== 'run-03'));
      expect(outcomes[3]).toMatchObject({ why: 'head', found: { head: 2 } });
      expect(await countRows(path)).toBe(40);
      expect((await verifyStore(theirs)).corruption).toEqual([]);
    });
  });

  test('takes steps with more to them: several records, a snapshot, chosen ids, another status', async () => {
    await withTwo(async (mine, theirs) => {
      const more: Readonly<Record<string, Partial<Commit>>> = {
        'run-01': { entries: notes(3) },
        'run-04': { snapshot: snapshotOf(2) },
        'run-07': { entries: [note('chosen', 'mine')] },
        'run-10': { header: { status: 'waiting' } },
        'run-13': { expect: 5 },
      };
      const outcomes = await Promise.all(names.map((runId) => mine.commit(step(runId, 1, more[runId]))));
      expect(outcomes.flatMap(({ ok }, at) => (ok ? [] : [names[at]]))).toEqual(['run-13']);
      expect(await theirs.header('run-01')).toMatchObject({ head: 4 });
      expect(await theirs.snapshots({ runId: 'run-04', limit: 1, bodies: true })).toMatchObject([
        { ok: true, covers: 2 },
      ]);
      expect(await theirs.records({ runId: 'run-07', id: 'mine', order: 'oldest', limit: 1 })).toMatchObject([
        { seq: 2 },
      ]);
      expect(await theirs.header('run-10')).toMatchObject({ status: 'waiting', head: 2 });
      expect((await verifyStore(theirs)).corruption).toEqual([]);
    });
  });
});
