// A command that fails may have been carried out all the same: then the run continues here, though the caller was told so.
import { workflow } from 'holdfast';
import { faultyStore } from 'holdfast/testing';
import { expect, test } from 'vitest';
import { z } from 'zod';
import type { FaultKind, FaultyMethod } from '../../src/testing/fault/fault-plan.ts';
import { describeEverywhere, type Place, placeOn } from './every-place.ts';

const flow = workflow('flow', { input: z.object({}) }, (_, { step }) => step('work', () => 'done'));
const failing: ReadonlySet<FaultyMethod> = new Set(['claim', 'commit', 'load', 'records', 'runs', 'resolveDoubt']);

interface Fault {
  /** The number of the first call that fails, since the command was given. */
  readonly at: number;
  readonly calls: number;
  readonly kind: FaultKind;
}

interface Seen {
  readonly isHit: boolean;
  /** The command failed, and had been carried out. */
  readonly wasInDoubt: boolean;
}

/** Resumes a suspended run once, while the store fails; again only if the store says that it is still suspended. */
async function resumeWithFault(here: Place, fault: Fault): Promise<Seen> {
  let calls = Number.NEGATIVE_INFINITY;
  let isHit = false;
  const store = faultyStore(here.store, ({ method }) => {
    if (!failing.has(method)) return undefined;
    calls += 1;
    if (calls < fault.at || calls >= fault.at + fault.calls) return undefined;
    isHit = true;
    return fault.kind;
  });
  const engine = await placeOn(store).open({ graphs: [flow] });
  const base = await engine.start(flow, {}, { pauseBefore: ['main'] });
  await base.outcome();
  const run = await base.fork();
  calls = -1;
  const isTold = await run.resume().then(
    () => false,
    () => true,
  );
  calls = Number.NEGATIVE_INFINITY;
  const wasInDoubt = isTold && (await run.summary()).status !== 'suspended';
  if (isTold && !wasInDoubt) await run.resume();
  await expect.poll(async () => (await run.summary()).status, { timeout: 20_000 }).toBe('completed');
  return { isHit, wasInDoubt };
}

describeEverywhere('a run that is resumed', (place) => {
  test.each([1, 2, 3])('continues although any %i store calls in a row lose their answers', async (calls) => {
    const seen: Seen[] = [];
    for (let from = 0; seen.every(({ isHit }) => isHit) && from < 60; from += 10) {
      const cases = Array.from({ length: 10 }, (_, at) => {
        return resumeWithFault(place(), { at: from + at, calls, kind: 'lost-answer' });
      });
      seen.push(...(await Promise.all(cases)));
    }
    expect(seen.some(({ isHit }) => !isHit)).toBe(true);
    // One lost answer is found out by asking what became of the commit.
    expect(seen.some(({ wasInDoubt }) => wasInDoubt)).toBe(calls > 1);
  });
});
