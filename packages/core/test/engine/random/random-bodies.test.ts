import * as fc from 'fast-check';
import type { Store } from 'holdfast';
import { memoryStore } from 'holdfast/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { ExpectedCalls } from '../../../src/runner/task/call/expected-calls.ts';
import { openRecord, sealRecord } from '../../../src/store/commit/encode.ts';
import type { StoredRecord } from '../../../src/store/contract/commit.ts';
import { defineStore, openDriver } from '../../../src/store/store.ts';
import { withCalls } from '../../../src/testing/with-calls.ts';
import { bodyChange, bodyPlan, changed, withOwnNames } from './body-plan.ts';
import { runBody } from './run-body.ts';

/** `npm run test:bodies` runs 10,000. */
const bodies = Number(process.env['HOLDFAST_BODIES'] ?? 200);
/** A mutant that so many bodies do not show is not caught. */
const enough = 2_000;
const timeout = 60_000 + bodies * 200;
const choices = fc.array(fc.nat({ max: 11 }), { minLength: 3, maxLength: 12 });

interface Trial {
  readonly count: number;
  readonly store?: (() => Store) | undefined;
}

interface Found {
  /** Runs whose changed code was refused. */
  readonly noticed: number;
  /** Effects that were repeated or lost in silence. */
  readonly violations: readonly string[];
}

/** Changes random bodies while their runs wait, until one repeats or loses an effect in silence. */
async function changeBodies({ count, store }: Trial): Promise<Found> {
  let noticed = 0;
  const found: string[] = [];
  const property = fc.asyncProperty(bodyPlan, bodyChange, choices, async (plan, change, chosen) => {
    const named = withOwnNames(plan);
    const given = { plan: named, changed: changed(named, change), choices: chosen, store: store?.() };
    const { violations, hasDiverged } = await runBody(given);
    if (hasDiverged) noticed += 1;
    found.push(...violations);
    return violations.length === 0;
  });
  const { failed, counterexample } = await fc.check(property, { numRuns: count, endOnFailure: true });
  if (failed) found.push(JSON.stringify(counterexample));
  return { noticed, violations: found };
}

describe('random bodies', () => {
  // Bodies that take another way after a failed attempt, and refused code, warn.
  beforeAll(() => void vi.spyOn(process, 'emitWarning').mockImplementation(() => {}));
  afterAll(() => void vi.restoreAllMocks());

  test('that have not changed are never called diverged', { timeout }, async () => {
    let completed = 0;
    await fc.assert(
      fc.asyncProperty(bodyPlan, choices, async (plan, chosen) => {
        const { status, violations } = await runBody({ plan, choices: chosen });
        expect(violations).toEqual([]);
        if (status === 'completed') completed += 1;
      }),
      { numRuns: bodies },
    );
    // A generator whose bodies never end proves little.
    expect(completed).toBeGreaterThan(bodies / 2);
  });

  test('that have changed never repeat or lose an effect in silence', { timeout }, async () => {
    const { noticed, violations } = await changeBodies({ count: bodies });
    expect(violations).toEqual([]);
    expect(noticed).toBeGreaterThan(bodies / 20);
  });

  test('show a journal that does not say after how many results a call was made', { timeout }, async () => {
    const { violations } = await changeBodies({ count: enough, store: forgetsAfter });
    expect(violations[0]).toMatch(/^the effect/);
  });

  test('show a body that is not checked when it ends or waits', { timeout }, async () => {
    const spy = vi.spyOn(ExpectedCalls.prototype, 'left').mockReturnValue([]);
    onTestFinished(() => spy.mockRestore());
    const { violations } = await changeBodies({ count: enough });
    expect(violations[0]).toMatch(/^the effect/);
  });
});

/** A mutant: records lose what they say about their calls. */
function forgetsAfter(): Store {
  const store = memoryStore();
  return defineStore(async (env) => {
    const driver = await openDriver(store, env);
    return withCalls(driver, {
      commit: (batches) =>
        driver.commit(
          batches.map((batch) => ({
            ...batch,
            records: batch.records.map((record) => forgetful(batch.runId, record)),
          })),
        ),
    });
  });
}

function forgetful(runId: string, record: StoredRecord): StoredRecord {
  const entry = openRecord(runId, record);
  const payload = entry.payload as { readonly after?: number } | undefined;
  if (payload?.after === undefined) return record;
  return sealRecord({ runId, seq: record.seq }, { ...entry, payload: { ...payload, after: undefined } });
}
