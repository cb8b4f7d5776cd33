import { describe, expect, test } from 'vitest';
import { openEngine } from '../../src/engine/open.ts';
import { promote } from '../../src/engine/transfer/promote.ts';
import type { RunsPage, RunsQuery } from '../../src/store/contract/read.ts';
import { memoryStore } from '../../src/store/memory/open.ts';
import type { Store } from '../../src/store/store.ts';
import { defineStore, openDriver } from '../../src/store/store.ts';
import { withCalls } from '../../src/testing/with-calls.ts';
import { pictureOf, wrongIn } from '../faults/moves/picture.ts';
import { asking, counting, graphs, populate } from '../faults/moves/population.ts';
import { storesOf } from './every-place.ts';

async function populated(store: Store): Promise<Store> {
  await using engine = await openEngine(store, { graphs });
  await populate(engine);
  return store;
}

// Each of the stores once at either end; nothing is done for a pair.
const stores = storesOf();
const pairs = stores.map((from, at) => ({ from, to: stores[(at + 1) % stores.length] as typeof from }));

describe.each(pairs)('promote() from $from.name to $to.name', ({ from, to }) => {
  test('copies every kind of run, and they continue there as they would have here', async () => {
    const [source, target] = [await populated(from.create()), to.create()];
    const before = await pictureOf(source);
    const report = await promote(source, target);
    expect(report).toMatchObject({ runs: before.size, copied: before.size, skipped: 0 });
    expect(await pictureOf(target)).toEqual(before);
    expect(await pictureOf(source)).toEqual(before);
    expect(await wrongIn(target)).toEqual([]);
    expect(await promote(source, target)).toMatchObject({ copied: 0, skipped: before.size });
    await using engine = await openEngine(target, { graphs });
    const waiting = await engine.get(asking, 'waiting');
    await waiting.answer('ok', true);
    expect(await waiting.result()).toBe('kelp: 4');
    expect((await (await engine.get('sleeping')).summary()).status).toBe('waiting');
  });
});

describe('promote()', () => {
  test('stops where it is told to, shows nothing before all has come, and continues when it is called again', async () => {
    const source = await populated(memoryStore());
    const before = await pictureOf(source);
    for (const stopAfter of [1, 5, before.size + 3]) {
      const target = memoryStore();
      const stop = new AbortController();
      let told = 0;
      const onProgress = (): void => {
        told += 1;
        if (told === stopAfter) stop.abort(new Error('enough'));
      };
      await expect(promote(source, target, { onProgress, signal: stop.signal })).rejects.toThrow('enough');
      const seen = await pictureOf(target, { hidden: false });
      expect(seen.size).toBe(Math.max(0, stopAfter - before.size));
      await promote(source, target);
      expect(await pictureOf(target)).toEqual(before);
      expect(await wrongIn(target)).toEqual([]);
    }
  });

  test('tells how far it is', async () => {
    const source = await populated(memoryStore());
    const { size } = await pictureOf(source);
    const told: string[] = [];
    const onProgress = ({ phase, runs }: { readonly phase: string; readonly runs: number }): void => {
      told.push(`${phase} ${runs}`);
    };
    await promote(source, memoryStore(), { onProgress });
    const expected = ['copy', 'verify'].flatMap((phase) =>
      Array.from({ length: size }, (_, at) => `${phase} ${at + 1}`),
    );
    expect(told).toEqual(expected);
  });

  test('takes along what is written while it copies, and refuses a source that never rests', async () => {
    const source = await populated(memoryStore());
    await using engine = await openEngine(source);
    const writes: Promise<unknown>[] = [];
    const write = (): unknown => writes.push(engine.journal.append('loop', { payload: 'more' }));
    const target = memoryStore();
    await promote(source, target, {
      onProgress: ({ phase }) => void (phase === 'copy' && writes.length < 3 && write()),
    });
    expect(await pictureOf(target)).toEqual(await pictureOf(source));
    await Promise.all(writes);
    // Whenever its runs are listed, one has been written to just before.
    const restless = defineStore(async (env, how) => {
      const driver = await openDriver(source, env, how);
      const runs = async (query: RunsQuery): Promise<RunsPage> => {
        if (query.runIds === undefined) await engine.journal.append('loop', { payload: 'more' });
        return driver.runs(query);
      };
      return withCalls(driver, { runs });
    });
    await expect(promote(restless, memoryStore())).rejects.toMatchObject({
      code: 'HOLDFAST_CONFLICT',
      details: { runId: 'loop' },
    });
  });

  test('begins a run anew that was pruned since, with the forks that stand on its half', async () => {
    const source = await populated(memoryStore());
    const target = memoryStore();
    const stop = new AbortController();
    const onProgress = ({ phase }: { readonly phase: string }): void => {
      if (phase === 'verify') stop.abort(new Error('enough'));
    };
    await expect(promote(source, target, { onProgress, signal: stop.signal })).rejects.toThrow('enough');
    await using engine = await openEngine(source);
    const { pruned } = await engine.prune({ runId: 'done-0', keep: 1 });
    expect(pruned).toBeGreaterThan(0);
    await promote(source, target);
    expect(await pictureOf(target)).toEqual(await pictureOf(source));
  });

  test('refuses a target that has another run of the same id, and leaves it as it is', async () => {
    const source = await populated(memoryStore());
    const target = memoryStore();
    await using engine = await openEngine(target, { graphs });
    await (await engine.start(counting, { to: 1 }, { id: 'chat' })).result();
    const before = await pictureOf(target);
    await expect(promote(source, target)).rejects.toMatchObject({
      code: 'HOLDFAST_ID_TAKEN',
      details: { runId: 'chat' },
    });
    expect(await pictureOf(target)).toEqual(before);
  });

  test('needs the keys of an encrypted source, and writes with them', async () => {
    const encryption = { keys: [{ id: 'k', key: new Uint8Array(32).fill(7) }] };
    const [source, target] = [memoryStore(), memoryStore()];
    await using writer = await openEngine(source, { graphs, encryption });
    await (await writer.start(counting, { to: 3 }, { id: 'secret' })).result();
    await expect(promote(source, memoryStore())).rejects.toMatchObject({ code: 'HOLDFAST_MISSING_KEY' });
    expect(await promote(source, target, { encryption })).toMatchObject({ copied: 1 });
    await using reader = await openEngine(target, { graphs, encryption });
    expect(await (await reader.get(counting, 'secret')).state()).toMatchObject({ n: 3 });
    await using blind = await openEngine(target, { graphs });
    await expect((await blind.get(counting, 'secret')).checkpoint()).rejects.toMatchObject({
      code: 'HOLDFAST_MISSING_KEY',
    });
  });
});
