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
  const timed = async <T>(call: string, batches: readonly Batch[], work: () => Promise<T>): Promise<T> => {
    const startedMs = performance.now();
    try {
      return await work();
    } catch (error) {
      const took = Math.round(performance.now() - startedMs);
      for (const { runId } of batches) write({ what: 'failed', worker, run: runId, call, took, error: String(error) });
      throw error;
    }
  };
  return defineStore(async (env, how) => {
    const driver = await openDriver(inside, env, how);
    return withCalls(driver, {
      commit: async (batches) => {
        for (const batch of batches) tell('sent', batch);
        const results = await timed('commit', batches, () => driver.commit(batches));
        results.forEach(({ ok }, at) => ok && tell('ack', batches[at] as Batch));
        return results;
      },
      resolveDoubt: async (batch) => {
        const result = await timed('resolveDoubt', [batch], () => driver.resolveDoubt(batch));
        if (result.outcome === 'committed') tell('ack', batch);
        return result;
      },
    });
  });
}
