import { describe, expect, test } from 'vitest';
import { cutId, runOf, seqOf, shortHash } from './id.ts';

describe('cutId()', () => {
  test('keeps an id of 27 characters', () => {
    const id = 'a'.repeat(27);
    expect(cutId(id)).toBe(id);
  });

  test('cuts a longer one in the middle', () => {
    expect(cutId('nightly-eval:2026-11-17T02:00Z')).toBe('nightly-eval…7T02:00Z');
  });

  test('never cuts a character in half', () => {
    expect(cutId('😀'.repeat(30))).toBe(`${'😀'.repeat(12)}…${'😀'.repeat(8)}`);
  });
});

describe('the parts of an id', () => {
  test('a hash shows 8 characters', () => {
    expect(shortHash('7c6c024bffff')).toBe('7c6c024b');
  });

  test('a checkpoint names its run and its number', () => {
    expect([runOf('ord_81@14'), seqOf('ord_81@14')]).toEqual(['ord_81', 14]);
    expect([runOf('a@b@3'), seqOf('a@b@3')]).toEqual(['a@b', 3]);
    expect([runOf('ord_81'), seqOf('ord_81')]).toEqual(['ord_81', undefined]);
  });
});
