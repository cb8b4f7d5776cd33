import { workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { describe, expect, test, vi } from 'vitest';
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
