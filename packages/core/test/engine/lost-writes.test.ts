// Writes whose outcome nobody can tell, and that happened after all: what they made due is not forgotten.
import { openEngine, type Store, workflow } from 'holdfast';
import { defineStore } from 'holdfast/store';
import { virtualClock } from 'holdfast/testing';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { Batch, BatchResult } from '../../src/store/contract/commit.ts';
import { openDriver } from '../../src/store/store.ts';
import { withCalls } from '../../src/testing/with-calls.ts';
import { describeEverywhere, describeShared, gate, turns } from './every-place.ts';

const none = z.object({});
const asking = workflow('asking', { input: none, asks: { ok: z.boolean() } }, (_, { ask }) => ask('ok'));
const inner = workflow('inner', { input: none, asks: { ok: z.boolean() } }, (_, { ask }) => ask('ok'));
const outer = workflow('outer', { input: none }, (_, { child }) => child('inner', inner, {}));

function noAnswer(): never {
  throw new Error('no answer');
}

function isParents({ runId }: Batch): boolean {
  return runId === 'run';
}

function isEndOfChild(batch: Batch): boolean {
  return !isParents(batch) && batch.header.status === 'completed';
}

interface SilentStore {
  readonly store: Store;
  /** The commit arrives: at once, or after it was looked for once in vain. */
  readonly arrived: () => Promise<void>;
}

/** A store without hints, over a connection that says nothing of one commit, and nothing of what became of it. */
function silentStore(inside: Store, isSilent: (batch: Batch) => boolean, when: 'at once' | 'late'): SilentStore {
  const looked = gate();
  let late: { readonly runId: string; readonly commit: () => Promise<readonly BatchResult[]> } | undefined;
  let hasFailed = false;
  const store = defineStore(async (env, how) => {
    const driver = await openDriver(inside, env, how);
    return withCalls(driver, {
      watch: () => () => {},
      commit: async (batches) => {
        const silent = hasFailed ? undefined : batches.find(isSilent);
        if (silent === undefined) return driver.commit(batches);
        hasFailed = true;
        if (when === 'late') late = { runId: silent.runId, commit: () => driver.commit(batches) };
        else await driver.commit(batches);
        return noAnswer();
      },
      resolveDoubt: async () => noAnswer(),
      // Nobody leases the run before the commit arrives.
      claim: async (request) => {
        const isEarly = request.type === 'one' && request.runId === late?.runId;
        return isEarly ? noAnswer() : driver.claim(request);
      },
      runs: async (query) => {
        const page = await driver.runs(query);
        if (late !== undefined && query.runIds?.includes(late.runId)) looked.open();
        return page;
      },
    });
  });
  const arrived = async (): Promise<void> => {
    await looked.opened;
    await turns();
    expect(await late?.commit()).toEqual([{ ok: true }]);
    late = undefined;
  };
  return { store, arrived };
}

describeEverywhere('an answer that was given, although it rejected', (place) => {
  test('continues the run all the same', async () => {
    const { store } = silentStore(place().store, ({ fence, create }) => fence === null && create === null, 'at once');
    const engine = await openEngine(store);
    onTestFinished(() => engine.close());
    const run = await engine.start(asking, {}, { id: 'run' });
    expect((await run.outcome()).status).toBe('waiting');
    await expect(run.answer('ok', true)).rejects.toMatchObject({ code: 'HOLDFAST_IN_DOUBT' });
    expect(await run.result()).toBe(true);
  });
});

describeEverywhere('the end of a child that arrives late', (place) => {
  test('is told to its parent', async () => {
    const { store, arrived } = silentStore(place().store, isEndOfChild, 'late');
    const engine = await openEngine(store);
    onTestFinished(() => engine.close());
    const run = await engine.start(outer, {}, { id: 'run' });
    expect((await run.outcome()).status).toBe('waiting');
    const question = await engine.asks().first();
    await engine.answer(question?.id ?? '', true);
    await arrived();
    expect(await run.result()).toBe(true);
  });
});

describeShared('the end of a child whose process could not tell its parent', (place) => {
  test('is found by an engine that has recovered', async () => {
    const here = place();
    const clock = virtualClock(new Date());
    const engine = await here.open({ clock });
    expect((await engine.start(outer, {}, { id: 'run' }).outcome()).status).toBe('waiting');
    await engine.close();
    // The child ends where nobody can write to its parent.
    const mute = defineStore(async (env, how) => {
      const driver = await openDriver(here.store, env, how);
      return withCalls(driver, { commit: async (some) => (some.some(isParents) ? noAnswer() : driver.commit(some)) });
    });
    const other = await openEngine(mute, { graphs: [inner], clock });
    onTestFinished(() => other.close());
    const again = await here.open({ graphs: [outer], clock });
    expect(await again.recover()).toBe(0);
    const question = await other.asks().first();
    await other.answer(question?.id ?? '', true);
    await other.get(question?.runId ?? '').result();
    await other.close();
    const status = async (): Promise<string> => {
      await clock.advance(30_000);
      return (await again.get('run').summary()).status;
    };
    await expect.poll(status).toBe('completed');
  });
});
