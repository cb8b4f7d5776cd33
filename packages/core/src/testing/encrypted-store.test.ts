import fc from 'fast-check';
import { describe, test } from 'vitest';
import { memoryStore } from '../store/memory/memory-store.ts';
import { simulatedPlace } from './file/file-places.ts';
import { filePlace } from './sqlite/sqlite-places.ts';
import { storeSuite } from './store-suite.ts';

const encryption = { keys: [{ id: 'k', key: new Uint8Array(32).fill(1) }] };

describe('an encrypted store in memory', () => {
  storeSuite({ describe, test, create: () => ({ store: memoryStore() }), model: { fc, numRuns: 20 }, encryption });
});

describe('an encrypted store of files', () => {
  storeSuite({ describe, test, create: simulatedPlace, encryption });
});

describe('an encrypted store in SQLite', () => {
  storeSuite({ describe, test, create: filePlace, encryption });
});
