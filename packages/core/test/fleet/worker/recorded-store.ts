import type { Batch } from '../../../src/store/contract/commit.ts';
import { defineStore, openDriver, type Store } from '../../../src/store/store.ts';
import { withCalls } from '../../../src/testing/with-calls.ts';
import type { Line, Unplaced } from './line.ts';

/** Writes down what is sent to the store and what it acknowledges. */
export function recordedStore(inside: Store, worker: number, write: (line: Unplaced<Line>) => void): Store {
  const tell = (what: 'sent' | 'ack', { runId, token, fence, expect, records, header }: Batch): void =>
    write({
      what,
      worker,
      run: runId,
      token,
      fence,
      seq: expect + 1,
      count: records.length,
      superstep: header.superstep,
    });
  return defineStore(async (env, how) => {
    const driver = await openDriver(inside, env, how);
    return withCalls(driver, {
      commit: async (batches) => {
        for (const batch of batches) tell('sent', batch);
        const results = await driver.commit(batches);
        results.forEach(({ ok }, at) => ok && tell('ack', batches[at] as Batch));
        return results;
      },
      resolveDoubt: async (batch) => {
        const result = await driver.resolveDoubt(batch);
        if (result.outcome === 'committed') tell('ack', batch);
        return result;
      },
    });
  });
}
