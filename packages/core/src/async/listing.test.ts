import { describe, expect, test } from 'vitest';
import { listing } from './listing.ts';

function numbers(): { readonly items: ReturnType<typeof listing<number>>; readonly read: number[] } {
  const read: number[] = [];
  const items = listing(async function* () {
    for (const item of [1, 2, 3]) {
      read.push(item);
      yield item;
    }
  });
  return { items, read };
}

describe('listing()', () => {
  test('gives all items, as often as it is asked', async () => {
    const { items } = numbers();
    expect(await items.toArray()).toEqual([1, 2, 3]);
    const seen: number[] = [];
    for await (const item of items) seen.push(item);
    expect(seen).toEqual([1, 2, 3]);
  });

  test('reads no further than it has to', async () => {
    const { items, read } = numbers();
    expect(await items.first()).toBe(1);
    expect(await items.find((item) => item > 1)).toBe(2);
    expect(read).toEqual([1, 1, 2]);
  });

  test('finds nothing where there is nothing', async () => {
    expect(await numbers().items.find((item) => item > 3)).toBeUndefined();
    expect(await listing(async function* () {}).first()).toBeUndefined();
  });
});
