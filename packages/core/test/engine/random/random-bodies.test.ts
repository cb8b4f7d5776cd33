import * as fc from 'fast-check';
import type { Store } from 'holdfast';
import { memoryStore } from 'holdfast/testing';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { callKey, parseCallKey } from '../../../src/runner/fold/call/call-type.ts';
import { ExpectedCalls } from '../../../src/runner/task/call/expected-calls.ts';
import { TaskRun } from '../../../src/runner/task/task-run.ts';
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
/** Ends what hangs, and nothing else: a machine may be busy. */
const timeout = 600_000 + bodies * 1_000;
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

/** Runs random bodies that start over, until one repeats or loses an effect. */
async function startOver({ count, store }: Trial): Promise<readonly string[]> {
  const found: string[] = [];
  const property = fc.asyncProperty(bodyPlan, choices, async (plan, chosen) => {
    const { violations } = await runBody({ plan, choices: chosen, again: 2, store: store?.() });
    found.push(...violations);
    return violations.length === 0;
  });
  await fc.check(property, { numRuns: count, endOnFailure: true });
  return found;
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

  test('that start over do each effect of each round once', { timeout }, async () => {
    expect(await startOver({ count: bodies })).toEqual([]);
  });

  test('show a journal that does not say with which input a body starts over', { timeout }, async () => {
    const violations = await startOver({ count: enough, store: () => rewriting(withoutRound) });
    expect(violations[0]).toMatch(/^the effect/);
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

  test('show calls of different types that share a name', { timeout }, async () => {
    const memo = Reflect.get(TaskRun.prototype, 'memo');
    const made = Reflect.get(ExpectedCalls.prototype, 'made');
    const spies = [
      vi.spyOn(TaskRun.prototype, 'memo').mockImplementation(function shared(this: TaskRun, call) {
        return memo.call(this, call) ?? memo.call(this, { ...call, type: 'step' });
      }),
      vi.spyOn(ExpectedCalls.prototype, 'made').mockImplementation(function shared(this: ExpectedCalls, key) {
        made.call(this, key);
        made.call(this, callKey({ ...parseCallKey(key), type: 'step' }));
      }),
    ];
    onTestFinished(() => spies.forEach((spy) => spy.mockRestore()));
    const { violations } = await changeBodies({ count: enough });
    expect(violations[0]).toMatch(/^the effect/);
  });
});

/** A mutant: records lose what they say about their calls. */
function forgetsAfter(): Store {
  return rewriting(forgetful);
}

/** A store that keeps other records than those it is given. */
function rewriting(rewrite: (runId: string, record: StoredRecord) => StoredRecord): Store {
  const store = memoryStore();
  return defineStore(async (env) => {
    const driver = await openDriver(store, env);
    return withCalls(driver, {
      commit: (batches) =>
        driver.commit(
          batches.map((batch) => ({
            ...batch,
            records: batch.records.map((record) => rewrite(batch.runId, record)),
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

/** A mutant: every round begins with the input of the first. */
function withoutRound(runId: string, record: StoredRecord): StoredRecord {
  const entry = openRecord(runId, record);
  const payload = entry.payload as { readonly again?: { readonly input: unknown } } | undefined;
  if (entry.kind !== 'superstep' || payload?.again === undefined) return record;
  return sealRecord({ runId, seq: record.seq }, { ...entry, payload: { ...payload, again: { input: { round: 0 } } } });
}
