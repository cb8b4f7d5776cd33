import { describe, expect, test } from 'vitest';
import { mutants } from './mutants.ts';

describe('mutants', () => {
  test('have names of their own', () => {
    const names = mutants.map(({ name }) => name);
    expect(new Set(names).size).toBe(names.length);
  });

  test.each(mutants)(
    '$name names what it breaks and who must catch it',
    ({ breaks, caughtBy, stores, files, database, machine, driver }) => {
      expect(breaks).toMatch(/^P\d+$|^full-disk$/);
      expect(caughtBy.length).toBeGreaterThan(0);
      expect(stores.length).toBeGreaterThan(0);
      expect(files ?? database ?? machine ?? driver).toBeTypeOf('function');
    },
  );
});
