import { counter, graph, list, workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { all, gate, memoryPlace, turns } from './every-place.ts';

const once = z.object({});

describe('a timeout', () => {
  test('of a node aborts its signal, counts as a try, and what the node does later counts for nothing', async () => {
    const clock = virtualClock();
    const aborted: unknown[] = [];
    const late = gate();
    let tries = 0;
    const slow = graph('slow', { state: { log: list<string>() } })
      .node(
        'call',
        async ({ signal, attempt, step }) => {
          tries += 1;
          if (attempt === 1) {
            signal.addEventListener('abort', () => aborted.push(signal.reason));
            await step('wait', () => late.opened.then(() => 'late'));
          }
          return { log: `attempt ${attempt}: ${await step('wait', () => 'fresh')}` };
        },
        { timeout: '5s', retry: { attempts: 2, backoff: 0 } },
      )
      .node('last', async ({ state }) => {
        late.open();
        await turns();
        return { log: `${state.log.length} before` };
      })
      .edge('start', 'call')
      .edge('call', 'last')
      .edge('last', 'end')
      .compile();
    const engine = await memoryPlace().open({ clock });
    const run = await engine.start(slow, {});
    while (tries < 1) await turns();
    await clock.advance('6s');
    expect(await run.outcome()).toMatchObject({ state: { log: ['attempt 2: fresh', '1 before'] } });
    expect(aborted).toMatchObject([{ code: 'HOLDFAST_TIMEOUT' }]);
    const kinds = (await all(engine.journal.read(run.id))).map(({ kind }) => kind);
    expect(kinds.filter((kind) => kind === 'result')).toHaveLength(1);
  });

  test('of a step aborts its signal and is tried again', async () => {
    const clock = virtualClock();
    const aborted: unknown[] = [];
    let tries = 0;
    const slow = workflow('slow', { input: once }, (_, { step }) =>
      step(
        'call',
        async ({ signal, attempt }) => {
          tries += 1;
          if (attempt === 2) return 'second';
          await new Promise((_resolve, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
          aborted.push(signal.reason);
          return 'first';
        },
        { timeout: '1s', retry: { attempts: 2, backoff: 0 } },
      ).finally(() => aborted.push('settled')),
    );
    const engine = await memoryPlace().open({ clock });
    const run = await engine.start(slow, {});
    while (tries < 1) await turns();
    await clock.advance('2s');
    expect(await run.result()).toBe('second');
    expect(aborted).toEqual(['settled']);
  });

  test('a late result of a step that was given up is not taken for one of the next super-step', async () => {
    const clock = virtualClock();
    const late = gate();
    let tries = 0;
    const loop = graph('loop', { state: { n: counter(), log: list<string>() } })
      .node(
        'call',
        async ({ state, step }) => {
          tries += 1;
          const value = await step('fetch', () => (state.n === 0 ? late.opened.then(() => 'late') : `n ${state.n}`));
          return { n: 1, log: value };
        },
        { timeout: '1s', catch: () => ({ n: 1, log: 'caught' }) },
      )
      .node('pause', async () => {
        late.open();
        await turns();
      })
      .edge('start', 'call')
      .edge('call', 'pause')
      .route('pause', ['call', 'end'], ({ n }) => (n < 2 ? 'call' : 'end'))
      .compile();
    const engine = await memoryPlace().open({ clock });
    const run = await engine.start(loop, {});
    while (tries < 1) await turns();
    await clock.advance('2s');
    expect(await run.outcome()).toMatchObject({ state: { log: ['caught', 'n 1'] } });
  });

  test('a sleep ends beside a sibling, also one that was over before it was journalled', async () => {
    const standing = virtualClock();
    let aheadMs = 0;
    const clock: typeof standing = {
      now: () => standing.now() + aheadMs,
      sleep: (ms, signal) => standing.sleep(ms, signal),
      advance: (by) => standing.advance(by),
    };
    const sibling = gate();
    const pair = graph('pair', { state: { log: list<string>() } })
      .node('long', async () => {
        await sibling.opened;
        return { log: 'long' };
      })
      .node('short', async ({ sleep }) => {
        const nap = sleep('nap', '100ms');
        // Less than a turn of the loop: it has not parked yet.
        for (let tick = 0; tick < 20; tick += 1) await Promise.resolve();
        aheadMs = 200;
        await nap;
        sibling.open();
        return { log: 'short' };
      })
      .edge('start', ['long', 'short'])
      .edge(['long', 'short'], 'end')
      .compile();
    const engine = await memoryPlace().open({ clock });
    const run = await engine.start(pair, {});
    expect(await run.outcome()).toMatchObject({ status: 'completed', state: { log: ['long', 'short'] } });
  });

  test('a backoff ends while a sibling is still running', async () => {
    const clock = virtualClock();
    const sibling = gate();
    let tries = 0;
    const pair = graph('pair', { state: { log: list<string>() } })
      .node('long', async () => {
        await sibling.opened;
        return { log: 'long' };
      })
      .node(
        'flaky',
        async ({ attempt, sleep }) => {
          tries += 1;
          if (attempt === 1) throw new Error('once');
          await sleep('nap', '1s');
          sibling.open();
          return { log: 'flaky' };
        },
        { retry: { attempts: 2, backoff: '1s' } },
      )
      .edge('start', ['long', 'flaky'])
      .edge(['long', 'flaky'], 'end')
      .compile();
    const engine = await memoryPlace().open({ clock });
    const run = await engine.start(pair, {});
    while (tries < 1) await turns();
    const end = run.outcome();
    for (let second = 0; second < 4; second += 1) {
      await clock.advance('1s');
      await turns();
    }
    expect(await end).toMatchObject({ status: 'completed', state: { log: ['long', 'flaky'] } });
  });
});
