import { workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { z } from 'zod';
import { gate, memoryPlace, turns } from './every-place.ts';

const none = z.object({});

describe('outcome() of a run that a process left behind', () => {
  test('starts nothing and warns once', async () => {
    expect(await waited({ executesElsewhere: false })).toEqual([
      'Run "r" is due and nobody executes it. Waiting does not start it: call recover() or work() on the engine, or resume() on the run.',
    ]);
  });

  test('is quiet while another engine executes it, however long a step takes', async () => {
    expect(await waited({ executesElsewhere: true })).toEqual([]);
  });
});

describe('outcome() of a run that no worker has room for', () => {
  test('is quiet where the worker is, and tells others what to do', async () => {
    const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    onTestFinished(() => warn.mockRestore());
    const here = memoryPlace();
    const clock = virtualClock();
    const [begun, told] = [gate(), gate()];
    const busy = workflow('busy', { input: none }, (_, { step }) =>
      step('wait', async () => {
        begun.open();
        await told.opened;
      }),
    );
    const engine = await here.open({ clock, graphs: [busy] });
    engine.work({ concurrency: 1 });
    const first = await engine.submit(busy, {}, { id: 'first' });
    await begun.opened;
    const second = await engine.submit(busy, {}, { id: 'second' });
    const client = await here.open({ clock, executes: false });
    const waiting = [first.result(), second.result(), client.get('second').result()];
    for (let seconds = 0; seconds < 20; seconds += 1) {
      await turns(5);
      await clock.advance('1s');
    }
    told.open();
    await Promise.all(waiting);
    expect(warn.mock.calls.map(([message]) => message)).toEqual([
      'Run "second" is due and nobody executes it. Start a worker that has its graph "busy", or give your workers more room: work({ concurrency }).',
    ]);
  });
});

/** Waits for a run that is due, while a virtual clock continues for some seconds. */
async function waited({ executesElsewhere }: { readonly executesElsewhere: boolean }): Promise<readonly string[]> {
  const warn = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
  try {
    const here = memoryPlace();
    const clock = virtualClock();
    const begun = gate();
    const stuck = workflow('stuck', { input: none }, (_, { step }) =>
      step('wait', async () => {
        begun.open();
        await new Promise(() => {});
      }),
    );
    const first = await here.open({ clock, graphs: [stuck] });
    if (executesElsewhere) {
      await first.start(stuck, {}, { id: 'r' });
      await begun.opened;
    } else {
      await first.submit(stuck, {}, { id: 'r' });
    }
    const second = await here.open({ clock, graphs: [stuck] });
    const run = await second.get(stuck, 'r');
    const stop = new AbortController();
    const waiting = Promise.allSettled([run.outcome(stop), run.outcome(stop), run.result(stop)]);
    for (let second = 0; second < 20; second += 1) {
      await turns(5);
      await clock.advance('1s');
    }
    stop.abort();
    await waiting;
    return warn.mock.calls.map(([message]) => String(message)).filter((message) => message.includes('"r"'));
  } finally {
    warn.mockRestore();
  }
}
