import fc from 'fast-check';
import { describe, test } from 'vitest';
import { mortalStore } from '../../testing/mortal-store.ts';
import { storeSuite } from '../../testing/store-suite.ts';
import { memoryStore } from './open.ts';

// A memory store outlives its drivers, so that dropping one is all that a crash is.
storeSuite({
  describe,
  test,
  create: () => ({ ...mortalStore(memoryStore()), crash: async () => {} }),
  model: { fc, numRuns: 300 },
});
