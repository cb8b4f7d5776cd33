import { describe, expect, test } from 'vitest';
import { holdfastError } from '../../errors/holdfast-error.ts';
import type { StoreDriver } from '../../store/contract/driver.ts';
import { MemoryDriver } from '../../store/memory/driver.ts';
import { MemoryPlace } from '../../store/memory/memory-place.ts';
import { defineStore } from '../../store/store.ts';
import type { StorePlace } from '../store-place.ts';
import { withCalls } from '../with-calls.ts';
import { firstFailure } from './first-failure.ts';

const error = holdfastError('HOLDFAST_CORRUPT', 'The header is corrupt.');

/** A memory driver for which the headers of some runs are corrupt. */
function corruptible(real: MemoryDriver, isCorrupt: (runId: string) => boolean): StoreDriver {
  return withCalls(real, {
    runs: async (query) => {
      const { headers } = await real.runs({ ...query, limit: 1_000 });
      const readable = headers.filter(({ runId }) => !isCorrupt(runId));
      const corrupt = headers.filter(({ runId }) => isCorrupt(runId)).map(() => error);
      return { headers: readable.slice(0, query.limit), corrupt };
    },
    load: async (query) => {
      if (isCorrupt(query.runId)) throw error;
      return real.load(query);
    },
    claim: async (request) => {
      if (request.type === 'one' && isCorrupt(request.runId)) {
        return { claimed: [], corrupt: [error], granted: false, now: 0, nextDueAt: null };
      }
      const { claimed, ...rest } = await real.claim(request);
      return { ...rest, claimed: claimed.filter(({ header }) => !isCorrupt(header.runId)) };
    },
  });
}

/** A place that can be made corrupt, whose driver is broken in one way. */
function corruptPlace(breakage: (driver: StoreDriver) => Partial<StoreDriver>): StorePlace {
  const disk = new MemoryPlace();
  const corrupt = new Set<string>();
  const store = defineStore(async (env) => {
    const driver = corruptible(new MemoryDriver(disk, env), (runId) => corrupt.has(runId));
    return withCalls(driver, breakage(driver));
  });
  return { store, crash: async () => {}, corrupt: async (runId) => void corrupt.add(runId) };
}

const mutants: Readonly<Record<string, (driver: StoreDriver) => Partial<StoreDriver>>> = {
  'corrupt headers are left out in silence': (driver) => ({
    runs: async (query) => ({ ...(await driver.runs(query)), corrupt: [] }),
  }),
  'one corrupt header fails the whole page': (driver) => ({
    runs: async (query) => {
      const page = await driver.runs(query);
      if (page.corrupt[0] !== undefined) throw page.corrupt[0];
      return page;
    },
  }),
  'the page is not filled with others': (driver) => ({
    runs: async (query) => {
      const { headers, corrupt } = await driver.runs(query);
      return { headers: headers.slice(0, query.limit - corrupt.length), corrupt };
    },
  }),
  'a corrupt run looks like a missing one': (driver) => ({
    load: async (query) => {
      try {
        return await driver.load(query);
      } catch {
        return undefined;
      }
    },
  }),
  'a claim does not tell of a corrupt run': (driver) => ({
    claim: async (request) => ({ ...(await driver.claim(request)), corrupt: [] }),
  }),
};

describe('a store with corrupt headers', () => {
  test('passes the contract when it tells of them', async () => {
    expect(await firstFailure(() => corruptPlace(() => ({})))).toBeUndefined();
  }, 60_000);

  test.each(Object.entries(mutants))(
    'fails the contract: %s',
    async (_, breakage) => {
      expect(await firstFailure(() => corruptPlace(breakage))).toContain('a corrupt header');
    },
    60_000,
  );
});
