import { HoldfastError } from '../../errors/holdfast-error.ts';
import type { Entry, NewEntry } from '../../record/record.ts';
import { decodeEntry, encodeEntry, encodeSecretEntry } from '../../record/record-codec.ts';
import { decodeValue, encodeOwn } from '../../value/codec/codec.ts';
import { formatCursor, type Place } from '../../value/cursor.ts';
import { checksum } from '../../value/hash/checksum.ts';
import type { Keyring } from '../../value/secret/keyring.ts';
import { checkPlain, missingKey, type ReadSecret } from '../../value/secret/secret.ts';
import { hideText, isHidden, showText } from '../../value/secret/secret-text.ts';
import type { Commit, NewSnapshot } from '../check/check-commit.ts';
import type { Batch, Sealed, SnapshotKey, StoredRecord, StoredSnapshot } from '../contract/commit.ts';
import { sealIds } from './seal-id.ts';
import { unseal } from './unseal.ts';

/** How a commit is encoded as a batch. */
interface SealOptions {
  readonly token: string;
  /** The time of the batch, unless the commit has one. */
  readonly at: number;
  readonly keyring: Keyring | undefined;
}

/** A commit, encoded and ready for a driver. */
export function sealBatch(commit: Commit, { token, at, keyring }: SealOptions): Batch {
  const { runId, writer, expect, epoch = 0, entries, header = {}, snapshot } = commit;
  const batch: Batch = {
    runId,
    token,
    expect,
    epoch,
    fence: writer.by === 'owner' ? writer.fence : null,
    create: 'of' in writer ? writer.of : null,
    records: entries.map((entry, index) => sealRecord({ runId, seq: expect + index + 1 }, entry, keyring)),
    ids: sealIds({ runId, seq: expect + 1 }, entries, keyring),
    header,
    snapshot: snapshot
      ? sealSnapshot({ runId, seq: snapshot.seq ?? expect + entries.length }, snapshot, keyring)
      : null,
    release: writer.by === 'owner' && writer.release === true,
    at: commit.at ?? at,
  };
  if (writer.by !== 'copier') return batch;
  return { ...batch, at: writer.at, copy: { floor: writer.floor, end: writer.end } };
}

/** A record, encoded for a driver. Its checksum includes its run and seq, so that records cannot be swapped. */
export function sealRecord(place: Place, entry: NewEntry, keyring?: Keyring): StoredRecord {
  const text = keyring === undefined ? encodeEntry(entry) : encodeSecretEntry(keyring, place, entry);
  return { seq: place.seq, text, crc: checksum(recordPlace(place), text) };
}

/** Decodes a record. @throws HOLDFAST_CORRUPT, HOLDFAST_UNKNOWN_FORMAT, HOLDFAST_MISSING_KEY, HOLDFAST_WRONG_KEY */
export function openRecord(runId: string, stored: StoredRecord, read?: ReadSecret): Entry {
  const place = { runId, seq: stored.seq };
  return decodeEntry(place, unseal(recordPlace(place), stored), read);
}

/** A snapshot, encoded for a driver. */
export function sealSnapshot(place: Place, snapshot: NewSnapshot, keyring?: Keyring): StoredSnapshot {
  const key = { covers: snapshot.covers, seq: place.seq };
  const part = (name: 'head' | 'body'): Sealed => {
    const where = snapshotPlace(place.runId, key, name);
    const text = encodeOwn(snapshot[name]);
    return seal(where, keyring === undefined ? text : hideText(keyring, where, text));
  };
  return { ...key, head: part('head'), body: part('body') };
}

/** A decoded snapshot, or its error: a corrupt snapshot never hides the others. */
export type Snapshot = SnapshotKey &
  (
    | { readonly ok: true; readonly head: unknown; readonly body: unknown }
    | { readonly ok: false; readonly error: HoldfastError }
  );

/** Decodes a snapshot. Without a body if none was requested. */
export function openSnapshot(
  runId: string,
  { covers, seq, head, body, unreadable }: StoredSnapshot,
  read: ReadSecret = missingKey,
): Snapshot {
  const key = { covers, seq };
  if (unreadable !== undefined) return { ...key, ok: false, error: unreadable };
  const part = (name: 'head' | 'body', sealed: Sealed): unknown => {
    const where = snapshotPlace(runId, key, name);
    const text = unseal(where, sealed);
    if (!isHidden(text)) checkPlain(read, where);
    const shown = isHidden(text) ? showText(read, where, text) : text;
    return shown === undefined ? undefined : decodeValue(shown);
  };
  try {
    return { ...key, ok: true, head: part('head', head), body: body && part('body', body) };
  } catch (error) {
    if (HoldfastError.is(error, 'HOLDFAST_CORRUPT')) return { ...key, ok: false, error };
    throw error;
  }
}

function seal(place: string, text: string): Sealed {
  return { text, crc: checksum(place, text) };
}

/** The place of a record, as used in its checksum. */
function recordPlace({ runId, seq }: Place): string {
  return formatCursor(runId, seq);
}

function snapshotPlace(runId: string, { covers, seq }: SnapshotKey, part: 'head' | 'body'): string {
  return `${formatCursor(runId, seq)} snapshot of ${covers} ${part}`;
}
