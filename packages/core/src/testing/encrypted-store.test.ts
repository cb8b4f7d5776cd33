import fc from 'fast-check';
import { describe, test } from 'vitest';
import { memoryStore } from '../store/memory/open.ts';
import { storeSuite } from './store-suite.ts';

describe('an encrypted store', () => {
  storeSuite({
    describe,
    test,
    create: () => ({ store: memoryStore() }),
    model: { fc, numRuns: 60 },
    encryption: { keys: [{ id: 'k', key: new Uint8Array(32).fill(1) }] },
  });
});
