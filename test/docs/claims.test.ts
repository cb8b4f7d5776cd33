// What docs/concepts.md says of a node's body and its block of code does not show.
import { openEngine, workflow } from 'holdfast';
import { memoryStore } from 'holdfast/testing';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';

const go = { show: z.null(), answer: z.string() };

describe('docs/concepts.md', () => {
  test('a plain promise that races an ask always loses', async () => {
    let settle: ((value: string) => void) | undefined;
    const race = workflow('race', { input: z.null(), asks: { go } }, async (_input, { ask }) => {
      const plain = new Promise<string>((resolve) => {
        settle = resolve;
      });
      return Promise.race([ask('go', null), plain]);
    });
    await using engine = await openEngine('memory:');
    const run = await engine.start(race, null);
    expect(await run.outcome()).toMatchObject({ status: 'waiting' });
    settle?.('plain');
    for (let turn = 0; turn < 100; turn += 1) await new Promise(setImmediate);
    expect(await run.outcome()).toMatchObject({ status: 'waiting' });
    await run.answer('go', 'answered');
    expect(await run.result()).toBe('answered');
  });

  test('a step that failed for good rejects the same way when the body runs again', async () => {
    const seen: string[] = [];
    let tries = 0;
    const saga = workflow('saga', { input: z.null(), asks: { go } }, async (_input, { step, ask }) => {
      const paid = step('pay', async () => {
        tries += 1;
        return Promise.reject(new Error(`declined ${tries}`));
      });
      seen.push(await paid.catch((error: Error) => error.message));
      return ask('go', null);
    });
    const store = memoryStore();
    {
      await using first = await openEngine(store);
      await (await first.start(saga, null, { id: 's' })).outcome();
    }
    await using engine = await openEngine(store);
    const run = await engine.get(saga, 's');
    await run.answer('go', 'on');
    expect(await run.result()).toBe('on');
    expect(tries).toBe(1);
    expect(seen).toEqual([seen[0], seen[0]]);
    expect(seen[0]).toContain('declined 1');
  });
});
