import assert from 'node:assert/strict';
import type { CheckedStore } from '../../../store/checked-store.ts';
import type { TrimResult } from '../../../store/contract/retention.ts';
import { commit, create, notes, ownerOf, snapshotOf } from '../given.ts';

/** A snapshot that a plan brings. */
export const given = { head: 'head', body: 'body' };

/** What went; bytes are the store's own count, but more than none when something went. */
export function counts(result: TrimResult): string {
  if (!result.ok) return result.why;
  assert.equal(result.bytes > 0, result.records + result.snapshots > 0, 'bytes are freed when something goes');
  return `${result.records} records, ${result.snapshots} snapshots`;
}

/** Six records, with snapshots that cover 2 and 4. */
export async function createRun(store: CheckedStore): Promise<void> {
  await create(store, 'run', { worker: 'worker', entries: notes(2), snapshot: snapshotOf(2) });
  await commit(store, ownerOf('run', { expect: 2, fence: 1, entries: notes(2), snapshot: snapshotOf(4) }));
  await commit(store, ownerOf('run', { expect: 4, fence: 1, entries: notes(2) }));
}
