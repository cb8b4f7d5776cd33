// Whoever waits is told: on a clock that stands still, nothing that looks again after a while ever does.
import { graph, list, workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { all, gate, memoryPlace, turns } from './every-place.ts';

const none = z.object({});
const asks = { ok: { show: z.string(), answer: z.boolean() } };

/** A run whose grandchild thinks until it may, and then asks. */
async function begin() {
  const may = gate();
  const inner = workflow('inner', { input: none, asks }, async (_, { step, ask }) => {
    await step('think', () => may.opened);
    return ask('ok', 'q');
  });
  const middle = workflow('middle', { input: none }, (_, { child }) => child('inner', inner, {}));
  const outer = graph('outer', { state: { log: list<string>() } })
    .graph('in', middle, { in: () => ({}), out: (ok) => ({ log: `said ${ok}` }) })
    .edge('start', 'in')
    .edge('in', 'end')
    .compile();
  const engine = await memoryPlace().open({ clock: virtualClock() });
  const run = await engine.start(outer, {}, { id: 'r' });
  while ((await run.summary()).status !== 'waiting') await turns();
  return { run, may };
}

describe('a run whose child starts to wait', () => {
  test('gives its outcome at once', async () => {
    const { run, may } = await begin();
    const waiting = run.outcome();
    await turns();
    may.open();
    expect(await waiting).toMatchObject({ status: 'waiting', waits: [{ kind: 'child' }] });
  });

  test('is idle for those who read its events until then', async () => {
    const { run, may } = await begin();
    const reading = all(run.events({ until: 'idle' }));
    await turns();
    may.open();
    expect((await reading).at(-1)).toMatchObject({ type: 'wait' });
  });
});
