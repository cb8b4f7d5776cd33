import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { batchOf } from '../../testing/contract/commit/seal-batch.ts';
import {
  commit,
  create,
  creationOf,
  externalWriteOf,
  headerOf,
  idsOf,
  journalWriteOf,
  ownerOf,
} from '../../testing/contract/given.ts';
import { seededRandom } from '../../testing/seeded-random.ts';
import { inDirectory, type Opened, openAt, stillEnv } from '../../testing/sqlite/sqlite-places.ts';
import type { Batch } from '../contract/commit.ts';
import type { HeaderState } from '../contract/run.ts';

async function withStores(count: number, body: (opened: readonly Opened[]) => Promise<void>): Promise<void> {
  await inDirectory(async (directory) => {
    const path = join(directory, 'store.db');
    const { env } = stillEnv();
    const opened: Opened[] = [];
    for (let at = 0; at < count; at += 1) opened.push(await openAt(path, env));
    await body(opened);
    for (const { store } of opened) await store.close();
  });
}

describe('a search by node', () => {
  test('finds a run wherever it stands: leased, free, claimed, released, deleted', async () => {
    await withStores(1, async ([opened]) => {
      const { store } = opened as Opened;
      const at = async (...nodes: string[]): Promise<void> => {
        for (const node of ['a', 'b', 'c']) {
          expect(await idsOf(store, { node }), node).toEqual(nodes.includes(node) ? ['run'] : []);
        }
      };
      await store.claim({ type: 'heartbeat', worker: 'w', leaseMs: 60_000 });
      await create(store, 'run', { worker: 'w', status: 'running', frontier: ['a'] });
      await at('a');
      await commit(store, ownerOf('run', { expect: 1, fence: 1, header: { frontier: ['b', 'c'] } }));
      await at('b', 'c');
      await commit(store, ownerOf('run', { expect: 2, fence: 1, header: { status: 'waiting' }, release: true }));
      await at('b', 'c');
      await store.claim({ type: 'one', worker: 'w', leaseMs: 60_000, runId: 'run', ifDue: false });
      await at('b', 'c');
      await commit(store, ownerOf('run', { expect: 3, fence: 2, header: { frontier: ['a'], status: 'running' } }));
      await at('a');
      await store.claim({ type: 'release', worker: 'w' });
      await at('a');
      await store.claim({ type: 'heartbeat', worker: 'w', leaseMs: 60_000 });
      await store.claim({ type: 'one', worker: 'w', leaseMs: 60_000, runId: 'run', ifDue: false });
      await commit(store, ownerOf('run', { expect: 4, fence: 3, header: { frontier: [] }, release: true }));
      await at();
      await commit(store, externalWriteOf('run', { expect: 5, header: { status: 'pending' } }));
      await at();
      await store.trim({ runId: 'run', hide: { keepTo: 9 } });
      await at();
    });
  });

  test('finds deleted runs where those are asked for, and forgets the removed', async () => {
    await withStores(1, async ([opened]) => {
      const { store } = opened as Opened;
      await create(store, 'run', { frontier: ['a'] });
      await store.trim({ runId: 'run', hide: { keepTo: 1 } });
      expect(await idsOf(store, { node: 'a' })).toEqual([]);
      expect(await idsOf(store, { node: 'a', hidden: true })).toEqual(['run']);
      await store.trim({ runId: 'run', remove: true });
      expect(await idsOf(store, { node: 'a', hidden: true })).toEqual([]);
    });
  });

  test('finds journal runs, which nobody leases', async () => {
    await withStores(1, async ([opened]) => {
      const { store } = opened as Opened;
      await create(store, 'journal', { kind: 'journal', status: 'running', frontier: ['a'] });
      for (const [at, node] of ['b', 'c', 'b'].entries()) {
        await commit(store, journalWriteOf('journal', { expect: at + 1, header: { frontier: [node] } }));
        expect(await idsOf(store, { node })).toEqual(['journal']);
        expect(await idsOf(store, { node: 'a' })).toEqual([]);
      }
    });
  });

  test('gives pages of leased, free and journal runs together in their order', async () => {
    await withStores(1, async ([opened]) => {
      const { store } = opened as Opened;
      const ids = Array.from({ length: 40 }, (_, at) => `run-${String(at).padStart(2, '0')}`);
      for (const [at, runId] of ids.entries()) {
        const kind = [{ worker: 'w' }, { kind: 'journal', status: 'running' }, {}, { status: 'failed' }] as const;
        const frontier = at % 3 === 0 ? ['a'] : ['b', 'a'];
        await create(store, runId, { frontier, createdAt: 1_000 + at, ...kind[at % 4] });
      }
      const found: string[] = [];
      for (let after: { createdAt: number; runId: string } | undefined; ; ) {
        const page = await store.runs({ node: 'a', order: 'newest', limit: 7, after });
        found.push(...page.map(({ runId }) => runId));
        after = page.at(-1);
        if (after === undefined) break;
      }
      expect(found).toEqual(ids.toReversed());
      expect(await idsOf(store, { node: 'b', status: ['failed'], limit: 3 })).toEqual(['run-07', 'run-11', 'run-19']);
    });
  });

  test('finds a run among many that have a frontier of their own', async () => {
    await withStores(1, async ([opened]) => {
      const { driver, store } = opened as Opened;
      const ids = Array.from({ length: 250 }, (_, at) => `run-${String(at).padStart(3, '0')}`);
      const creations = ids.map((runId) => batchOf(creationOf(runId, { frontier: ['all', runId] }), { token: 't' }));
      await driver.commit(creations);
      expect(await idsOf(store, { node: 'all' })).toEqual(ids);
      expect(await idsOf(store, { node: 'run-123' })).toEqual(['run-123']);
    });
  });

  test('finds a run that was released, by this process or another, since it was last written to', async () => {
    await withStores(2, async ([mine, theirs]) => {
      const { driver, store } = mine as Opened;
      await store.claim({ type: 'heartbeat', worker: 'w', leaseMs: 60_000 });
      for (const [runId, by] of [
        ['one', mine],
        ['two', theirs],
      ] as const) {
        await create(store, runId, { worker: 'w', status: 'running', frontier: ['a'] });
        await commit(store, ownerOf(runId, { expect: 1, fence: 1, header: { frontier: ['b'] } }));
        await by?.store.claim({ type: 'release', worker: 'w', runIds: [runId] });
        const late = ownerOf(runId, { expect: 2, fence: 1, header: { frontier: ['c'] } });
        expect(await driver.commit([batchOf(late, { token: 't' })])).toEqual([{ ok: true }]);
        expect(await idsOf(store, { node: 'b' })).toEqual([]);
      }
      expect(await idsOf(store, { node: 'c' })).toEqual(['one', 'two']);
    });
  });

  test('is right after anything that two processes do to a run, whatever each remembers', async () => {
    await withStores(2, async (stores) => {
      const random = seededRandom(7);
      const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T;
      const [first] = stores as [Opened];
      for (const runId of ['x', 'y']) await create(first.store, runId, { frontier: ['a'], wakeAt: 0 });
      for (let turn = 0; turn < 60; turn += 1) {
        const { driver, store } = pick(stores);
        const runId = pick(['x', 'y']);
        const worker = pick(['v', 'w']);
        await pick([
          () => store.claim({ type: 'heartbeat', worker, leaseMs: 60_000 }),
          () => store.claim({ type: 'one', worker, leaseMs: 60_000, runId, ifDue: false }),
          () => store.claim({ type: 'release', worker, runIds: pick([[runId], undefined]) }),
          async () => driver.commit([await anyChange(store, runId, pick)]),
        ])();
        const headers = [await headerOf(store, 'x'), await headerOf(store, 'y')];
        for (const node of ['a', 'b']) {
          const there = headers.filter(({ frontier }) => frontier.includes(node)).map(({ runId }) => runId);
          expect(await idsOf(store, { node }), `${node} after turn ${turn}`).toEqual(there);
        }
      }
    });
  });
});

type Pick = <T>(list: readonly T[]) => T;

/** A batch that a driver accepts: an owner may also write on after it released the run, and anyone to a frontier. */
async function anyChange(store: Opened['store'], runId: string, pick: Pick): Promise<Batch> {
  const { head, fence } = await headerOf(store, runId);
  const header: Partial<HeaderState> = pick([
    {},
    { frontier: ['a'] },
    { frontier: ['b'] },
    { frontier: ['b', 'a'] },
    { frontier: [] },
    { status: 'waiting' },
    { status: 'running' },
  ]);
  const by = pick([
    ownerOf(runId, { expect: head, fence, header, release: pick([true, false]) }),
    externalWriteOf(runId, { expect: head, header }),
  ]);
  return batchOf(by, { token: 't' });
}
