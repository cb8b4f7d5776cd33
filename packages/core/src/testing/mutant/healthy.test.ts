import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { brokenPlace } from './breakage.ts';
import { contractTests, differsFromModel, firstFailure } from './first-failure.ts';

const create = () => brokenPlace(() => ({}));

describe('a store that nothing is wrong with', () => {
  test('passes the contract in the same runner that catches the broken ones', async () => {
    expect(contractTests(create).length).toBeGreaterThan(400);
    expect(await firstFailure(create)).toBeUndefined();
  }, 60_000);

  test('does not differ from the model', async () => {
    expect(await differsFromModel({ create, fc })).toBe(false);
  }, 60_000);
});
