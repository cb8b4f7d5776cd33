import fc from 'fast-check';
import { describe, test } from 'vitest';
import { deathSuite } from '../../testing/death-suite.ts';
import { filePlace, handlePlace, mortalPlace } from '../../testing/sqlite/sqlite-places.ts';
import { storeSuite } from '../../testing/store-suite.ts';

describe('a store in a file', () => {
  storeSuite({ describe, test, create: filePlace, model: { fc, numRuns: 25 } });
});

describe('a store in a database of the user', () => {
  storeSuite({ describe, test, create: handlePlace });
});

describe('a store of processes that may die', () => {
  deathSuite({ test, create: mortalPlace });
});
