import { describe, expect, test } from 'vitest';
import { Outage } from './outage.ts';

function setUp() {
  let nowMs = 1_000;
  const outage = new Outage({ monotonicMs: () => nowMs }, 100);
  return { outage, advance: (ms: number) => (nowMs += ms), answered: () => outage.answered(nowMs) };
}

describe('Outage', () => {
  test('is on from the first failure after a while without an answer', () => {
    const { outage, advance, answered } = setUp();
    answered();
    advance(150);
    expect(outage.isWithin(100)).toBe(false);
    outage.failed();
    expect(outage.isWithin(100)).toBe(true);
  });

  test('counts for as long as it is asked for after it has ended', () => {
    const { outage, advance, answered } = setUp();
    answered();
    outage.failed();
    advance(100);
    answered();
    advance(99);
    expect(outage.isWithin(100)).toBe(true);
    advance(1);
    expect(outage.isWithin(100)).toBe(false);
  });

  test('is not made of errors among answers', () => {
    const { outage, advance, answered } = setUp();
    answered();
    for (let calls = 0; calls < 10; calls += 1) {
      outage.failed();
      advance(50);
      answered();
    }
    expect(outage.isWithin(100)).toBe(false);
  });

  test('is met by a process that starts in the middle of it', () => {
    const { outage, advance, answered } = setUp();
    outage.failed();
    advance(1);
    answered();
    expect(outage.isWithin(100)).toBe(true);
  });

  test('is not ended by an answer that was asked for before it', () => {
    const { outage, advance, answered } = setUp();
    answered();
    outage.failed();
    advance(99);
    outage.answered(1_000);
    outage.failed();
    advance(10);
    answered();
    expect(outage.isWithin(100)).toBe(true);
  });
});
