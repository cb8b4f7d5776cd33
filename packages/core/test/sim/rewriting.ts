import type { NewEntry } from '../../src/record/record.ts';
import { openRecord, sealRecord } from '../../src/store/commit/encode.ts';
import type { Batch, StoredRecord } from '../../src/store/contract/commit.ts';
import type { StoreDriver } from '../../src/store/contract/driver.ts';
import type { StoredRun } from '../../src/store/contract/read.ts';
import type { Around } from './mutant.ts';

type Change = (batch: Batch, around: Around) => Batch;

/** Changes batches one by one. */
export function changing(change: Change): (around: Around) => Partial<StoreDriver> {
  return (around) => ({ commit: (batches) => around.driver.commit(batches.map((batch) => change(batch, around))) });
}

/** Changes the records of a batch one by one. */
export function rewriting(
  change: (entry: NewEntry, batch: Batch, around: Around) => NewEntry,
): (around: Around) => Partial<StoreDriver> {
  return changing((batch, around) => ({
    ...batch,
    records: batch.records.map((record) => rewritten(batch.runId, record, (entry) => change(entry, batch, around))),
  }));
}

function rewritten(runId: string, record: StoredRecord, change: (entry: NewEntry) => NewEntry): StoredRecord {
  const entry = openRecord(runId, record);
  const changed = change(entry);
  return changed === entry ? record : sealRecord({ runId, seq: record.seq }, changed);
}

/** A record of another kind stays as it is. */
export function forgotten(kind: NewEntry['kind'], runId: string, record: StoredRecord): StoredRecord {
  return rewritten(runId, record, (entry) => (entry.kind === kind ? { kind: 'note', at: entry.at } : entry));
}

/** Nothing is left of records of this kind when they are read. */
export function forgetting(kind: NewEntry['kind']): (around: Around) => Partial<StoreDriver> {
  const forget = (runId: string, record: StoredRecord): StoredRecord => forgotten(kind, runId, record);
  const forgetIn = <T extends StoredRun | undefined>(run: T): T =>
    run && { ...run, records: run.records.map(({ runId, value }) => ({ runId, value: forget(runId, value) })) };
  return ({ driver }) => ({
    records: async (query) => (await driver.records(query)).map((record) => forget(query.runId, record)),
    load: async (query) => forgetIn(await driver.load(query)),
    claim: async (request) => {
      const result = await driver.claim(request);
      return { ...result, claimed: result.claimed.map(forgetIn) };
    },
  });
}

/** What a record says. */
export function payloadOf(entry: NewEntry): Record<string, unknown> {
  return (entry.payload ?? {}) as Record<string, unknown>;
}
