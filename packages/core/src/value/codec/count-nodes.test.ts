import { describe, expect, test } from 'vitest';
import { countNodes } from './count-nodes.ts';

describe('countNodes()', () => {
  test('counts what is inside objects, arrays, maps and sets', () => {
    expect(countNodes({ a: 1, b: [2, 3] })).toBe(5);
    expect(countNodes(new Map([['a', new Set([1, 2])]]))).toBe(5);
    expect(countNodes(new Date(0))).toBe(1);
  });

  test('counts what a few shared objects stand for, and ends in a circle', () => {
    let shared: unknown[] = [1];
    for (let depth = 0; depth < 30; depth += 1) shared = [shared, shared];
    expect(countNodes(shared)).toBeGreaterThan(1e9);
    const circle: unknown[] = [];
    circle.push(circle);
    expect(countNodes(circle)).toBe(2);
  });
});
