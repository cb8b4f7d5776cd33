import { describe, expect, test } from 'vitest';
import { barText } from './progress-bar.ts';

describe('barText()', () => {
  test('is full only at the end, and never too wide', () => {
    expect(barText(1, 2)).toBe(`${'█'.repeat(15)}${'░'.repeat(15)} 1/2`);
    expect(barText(0, 0)).toBe(`${'█'.repeat(30)} 0/0`);
    expect(barText(9, 3)).toBe(`${'█'.repeat(30)} 9/3`);
  });
});
