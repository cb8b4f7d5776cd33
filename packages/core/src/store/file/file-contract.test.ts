import fc from 'fast-check';
import { describe, test } from 'vitest';
import { deathSuite } from '../../testing/death-suite.ts';
import { mortalPlace, realPlace, simulatedPlace } from '../../testing/file/file-places.ts';
import { storeSuite } from '../../testing/store-suite.ts';

describe('on a real disk', () => {
  storeSuite({ describe, test, create: realPlace, model: { fc, numRuns: 25 } });
});

describe('on a simulated disk that loses what was not synced', () => {
  storeSuite({ describe, test, create: simulatedPlace, model: { fc, numRuns: 100 } });
});

describe('on a machine that tells which processes have died', () => {
  deathSuite({ test, create: mortalPlace });
});
