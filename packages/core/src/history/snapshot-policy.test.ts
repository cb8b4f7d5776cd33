import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { addStep, addSteps, mayBeDue, measured, newMeter, type SnapshotMeter } from './snapshot-policy.ts';

describe('addStep()', () => {
  test('counts a delta and what a step costs besides', () => {
    expect(addStep(addStep(newMeter, 100), 0)).toEqual({ since: 612, mark: 0 });
  });
});

describe('addSteps()', () => {
  test('counts as many one after another do', () => {
    const one = addStep(addStep(addStep({ since: 7, mark: 9 }, 100), 0), 20);
    expect(addSteps({ since: 7, mark: 9 }, { count: 3, bytes: 120 })).toEqual(one);
  });
});

describe('mayBeDue()', () => {
  test('is false below 16 KiB, and below the mark', () => {
    expect(mayBeDue({ since: 16_383, mark: 0 })).toBe(false);
    expect(mayBeDue({ since: 16_384, mark: 0 })).toBe(true);
    expect(mayBeDue({ since: 19_999, mark: 20_000 })).toBe(false);
    expect(mayBeDue({ since: 20_000, mark: 20_000 })).toBe(true);
  });
});

describe('measured()', () => {
  test('is due when the changes weigh as much as the snapshot', () => {
    expect(measured({ since: 20_000, mark: 0 }, 20_000)).toEqual({ due: true, meter: { since: 0, mark: 20_000 } });
    expect(measured({ since: 16_383, mark: 0 }, 10).due).toBe(false);
  });

  test('remembers the size when it is not', () => {
    expect(measured({ since: 20_000, mark: 0 }, 50_000)).toEqual({
      due: false,
      meter: { since: 20_000, mark: 50_000 },
    });
  });

  test('waits for half as much again when the size is close', () => {
    expect(measured({ since: 20_000, mark: 0 }, 20_001).meter.mark).toBe(30_000);
  });
});

interface Totals {
  readonly changes: number;
  readonly snapshots: number;
  readonly measuredBytes: number;
  /** The most that had to be read besides a snapshot, in sizes of it. */
  readonly worst: number;
}

function simulate(steps: readonly { readonly bytes: number; readonly grows: number }[]): Totals {
  let meter: SnapshotMeter = newMeter;
  let size = 0;
  let totals: Totals = { changes: 0, snapshots: 0, measuredBytes: 0, worst: 0 };
  for (const { bytes, grows } of steps) {
    size = Math.max(0, size + bytes * grows);
    meter = addStep(meter, bytes);
    totals = { ...totals, changes: totals.changes + bytes + 256 };
    if (!mayBeDue(meter)) continue;
    const result = measured(meter, size);
    totals = {
      ...totals,
      measuredBytes: totals.measuredBytes + size,
      snapshots: totals.snapshots + (result.due ? size : 0),
      worst: result.due ? Math.max(totals.worst, (meter.since - bytes - 256) / Math.max(16_384, size)) : totals.worst,
    };
    meter = result.meter;
  }
  return totals;
}

test.each([0, 0.5, 0.9, 1])(
  'writes no more snapshots than changes and measures a constant share, if a state grows by %s of what is written',
  (grows) => {
    for (const bytes of [10, 1000, 100_000]) {
      const { changes, snapshots, measuredBytes, worst } = simulate(
        Array.from({ length: 3000 }, () => ({ bytes, grows })),
      );
      expect(snapshots).toBeLessThanOrEqual(changes);
      expect(measuredBytes).toBeLessThanOrEqual(6 * changes);
      expect(worst).toBeLessThanOrEqual(1.5);
    }
  },
);

test('whatever is written, snapshots weigh no more than changes', () => {
  const step = fc.record({ bytes: fc.oneof(fc.nat(300), fc.nat(20_000)), grows: fc.constantFrom(-3, 0, 0.5, 1) });
  const bounded = fc.property(fc.array(step, { minLength: 1, maxLength: 300 }), (steps) => {
    const { changes, snapshots, measuredBytes } = simulate(steps);
    return snapshots <= changes && measuredBytes <= 8 * changes;
  });
  expect(() => fc.assert(bounded)).not.toThrow();
});
