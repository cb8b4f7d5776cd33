// The connection is cut at every boundary of a message of every kind of write: nothing is lost, and nothing happens twice.
import { openEngine } from 'holdfast';
import { describe, expect, onTestFinished, test } from 'vitest';
import { storeIn } from '../../src/testing/postgres/postgres-places.ts';
import { cutEverywhere } from './cut/cut-everywhere.ts';
import { cutMutants } from './cut/mutants.ts';
import { operations } from './cut/operation.ts';
import { openProxied } from './proxied-store.ts';

describe('a connection that is cut at every message, or whose statement comes late', () => {
  test.each(operations)('$name: happens exactly once', async (operation) => {
    const { store, schema, proxy } = await openProxied(onTestFinished);
    await (await openEngine(storeIn(schema))).close();
    const { cuts, violations } = await cutEverywhere(operation, { store, proxy, direct: storeIn(schema) });
    expect(violations).toEqual([]);
    // A statement has four messages at least, and its answer as many.
    expect(cuts).toBeGreaterThanOrEqual(8);
  });

  test.each(Object.entries(cutMutants))('a store that %s is found out', async (_, change) => {
    const { store, schema, proxy } = await openProxied(onTestFinished);
    const [append] = operations as readonly [(typeof operations)[number]];
    const { violations } = await cutEverywhere(append, { store: change(store), proxy, direct: storeIn(schema) });
    expect(violations).not.toEqual([]);
  });
});
