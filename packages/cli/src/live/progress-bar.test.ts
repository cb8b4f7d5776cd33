import { describe, expect, test } from 'vitest';
import { barText } from './progress-bar.ts';

describe('barText()', () => {
  test('is full at the end and not before, and never wider than it is', () => {
    expect(barText(1, 2)).toBe(`${'█'.repeat(15)}${'░'.repeat(15)} 1/2`);
    expect(barText(0, 0)).toBe(`${'█'.repeat(30)} 0/0`);
    expect(barText(9, 3)).toBe(`${'█'.repeat(30)} 9/3`);
  });
});
