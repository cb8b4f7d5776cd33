import { describe, expect, test } from 'vitest';
import { partedAt, since } from './parted.ts';

const history = (...ids: readonly string[]) => ids.map((id, at) => ({ id, parentId: ids[at + 1] ?? null }));

describe('where two histories parted', () => {
  const base = history('a@9', 'a@5', 'a@1');

  test('is the checkpoint that a fork stands on, although the fork does not list it', () => {
    const fork = [
      { id: 'f@8', parentId: 'f@6' },
      { id: 'f@6', parentId: 'a@5' },
    ];
    expect(partedAt(base, fork)).toBe('a@5');
    expect(since(base, 'a@5').map(({ id }) => id)).toEqual(['a@9']);
    expect(since(fork, 'a@5').map(({ id }) => id)).toEqual(['f@6', 'f@8']);
  });

  test('is the older one of two checkpoints of a run', () => {
    expect(partedAt(base, history('a@5', 'a@1'))).toBe('a@5');
  });

  test('is unknown for runs that share nothing', () => {
    expect(partedAt(base, history('b@2', 'b@1'))).toBeUndefined();
  });
});
