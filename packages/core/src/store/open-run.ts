import { type HoldfastError, holdfastError } from '../errors/holdfast-error.ts';
import type { Entry } from '../record/record.ts';
import { formatCursor } from '../value/cursor.ts';
import type { ReadSecret } from '../value/secret/secret.ts';
import type { KnownId } from './check/known-id.ts';
import { openRecord, openSnapshot } from './commit/encode.ts';
import { openId } from './commit/seal-id.ts';
import type { SnapshotKey } from './contract/commit.ts';
import type { Located, RecordQuery, StoredRun } from './contract/read.ts';
import type { RunHeader } from './contract/run.ts';

/** A run that was read in one round trip, decoded. */
export interface LoadedParts {
  readonly header: RunHeader;
  /** The runs it was forked from, nearest first. */
  readonly lineage: readonly RunHeader[];
  readonly snapshot: { readonly covers: number; readonly body: unknown } | undefined;
  /** The records after the snapshot, without a gap. */
  readonly entries: readonly Entry[];
  readonly bytes: number;
  /** The id that was asked for, and the run that has it. */
  readonly id: Located<KnownId> | undefined;
}

interface OpenOptions {
  readonly read: ReadSecret;
  /** Loads the run again, with a snapshot before this one. */
  readonly again: (before: SnapshotKey) => Promise<StoredRun | undefined>;
}

/** Decodes a run. A corrupt snapshot is only a lost cache: falls back to an older one, or to the journal. */
export async function openRun(stored: StoredRun, options: OpenOptions): Promise<LoadedParts> {
  const { header, lineage, snapshot, records, id } = stored;
  const opened = snapshot && openSnapshot(snapshot.runId, snapshot.value, options.read);
  if (snapshot !== undefined && opened?.ok === false) {
    const older = await options.again(snapshot.value);
    if (older === undefined) throw opened.error;
    return openRun(older, options);
  }
  let bytes = 0;
  const entries = records.map(({ runId, value }) => {
    bytes += value.text.length;
    return openRecord(runId, value, options.read);
  });
  checkNoGap({ runId: header.runId, order: 'oldest' }, entries);
  const body = opened?.ok === true ? { covers: opened.covers, body: opened.body } : undefined;
  const known = id && { runId: id.runId, value: openId(id.runId, id.value, options.read) };
  return { header, lineage, snapshot: body, entries, bytes, id: known };
}

/** Checks that the driver returned every record, in order: a gap would produce a wrong state. */
export function checkNoGap({ runId, order }: Pick<RecordQuery, 'runId' | 'order'>, entries: readonly Entry[]): void {
  const stride = order === 'oldest' ? 1 : -1;
  entries.forEach(({ seq }, at) => {
    const expected = (entries[0] as Entry).seq + at * stride;
    if (seq === expected) return;
    throw missingRecord(runId, expected);
  });
}

/** The error for a record that has to be there and is not. */
export function missingRecord(runId: string, seq: number): HoldfastError {
  const where = formatCursor(runId, seq);
  return holdfastError('HOLDFAST_CORRUPT', `Record ${where} is missing from the store. Run verify.`, {
    details: { where, runId, seq },
  });
}
