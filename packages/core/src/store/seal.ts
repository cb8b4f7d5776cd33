import { HoldfastError, holdfastError } from '../errors/holdfast-error.ts';
import type { Entry, NewEntry } from '../record/record.ts';
import { decodeEntry, encodeEntry, encodeEntryLate } from '../record/record-codec.ts';
import { checksum } from '../value/checksum.ts';
import { decodeValue, encodeOwn, type LateText } from '../value/codec.ts';
import { formatCursor } from '../value/cursor.ts';
import type { NewSnapshot } from './check-commit.ts';
import type { Sealed, SnapshotKey, StoredRecord, StoredSnapshot } from './contract.ts';

interface Place {
  readonly run: string;
  readonly seq: number;
}

/** A record with its place, ready for a driver: its checksum binds it to that run and seq, so that none can be swapped. */
export function sealRecord(place: Place, entry: NewEntry): StoredRecord {
  return { seq: place.seq, id: entry.id, ...seal(recordPlace(place), encodeEntry(entry)) };
}

/** A record of which the text and the checksum are made when they are read. */
class LateRecord implements StoredRecord {
  readonly seq: number;
  readonly id: string | undefined;
  readonly #run: string;
  readonly #late: LateText;

  constructor({ run, seq }: Place, id: string | undefined, late: LateText) {
    this.seq = seq;
    this.id = id;
    this.#run = run;
    this.#late = late;
  }

  get text(): string {
    return this.#late.text;
  }

  get crc(): number {
    return checksum(recordPlace({ run: this.#run, seq: this.seq }), this.#late.text);
  }

  /** A lower bound of the bytes of its text. */
  get size(): number {
    return this.#late.size;
  }
}

/**
 * The same, for a driver that keeps the very objects it is given: a step's record, which nobody changes, is encoded when
 * it is read, and most are not.
 */
export function sealLate(place: Place, entry: NewEntry): StoredRecord {
  const late = entry.kind === 'step' ? encodeEntryLate(entry) : undefined;
  return late === undefined ? sealRecord(place, entry) : new LateRecord(place, entry.id, late);
}

/** About how many bytes a record takes; without encoding one that is not. */
export function recordBytes(record: StoredRecord): number {
  return record instanceof LateRecord ? record.size : record.text.length;
}

/** The record again. @throws HOLDFAST_DAMAGED, HOLDFAST_UNKNOWN_FORMAT */
export function openRecord(run: string, stored: StoredRecord): Entry {
  const place = { run, seq: stored.seq };
  return decodeEntry(place, unseal(recordPlace(place), stored));
}

/** A snapshot with its place, ready for a driver. */
export function sealSnapshot(place: Place, { covers, head, body }: NewSnapshot): StoredSnapshot {
  const key = { covers, seq: place.seq };
  return {
    ...key,
    head: seal(snapshotPlace(place.run, key, 'head'), encodeOwn(head)),
    body: seal(snapshotPlace(place.run, key, 'body'), encodeOwn(body)),
  };
}

/** A snapshot as it was, or what is wrong with it: a damaged one never hides the others. */
export type Snapshot = SnapshotKey &
  (
    | { readonly ok: true; readonly head: unknown; readonly body: unknown }
    | { readonly ok: false; readonly error: HoldfastError }
  );

/** The snapshot again; without a body where none was asked for. */
export function openSnapshot(run: string, { covers, seq, head, body }: StoredSnapshot): Snapshot {
  const key = { covers, seq };
  try {
    return {
      ...key,
      ok: true,
      head: decodeValue(unseal(snapshotPlace(run, key, 'head'), head)),
      body: body && decodeValue(unseal(snapshotPlace(run, key, 'body'), body)),
    };
  } catch (error) {
    if (HoldfastError.is(error, 'HOLDFAST_DAMAGED')) return { ...key, ok: false, error };
    throw error;
  }
}

function seal(place: string, text: string): Sealed {
  return { text, crc: checksum(place, text) };
}

function unseal(place: string, { text, crc }: Sealed): string {
  if (checksum(place, text) === crc) return text;
  throw holdfastError(
    'HOLDFAST_DAMAGED',
    `The checksum of ${place} does not match what is stored. Run verify to see what else is damaged.`,
    { details: { where: place } },
  );
}

function recordPlace({ run, seq }: Place): string {
  return formatCursor(run, seq);
}

function snapshotPlace(run: string, { covers, seq }: SnapshotKey, part: 'head' | 'body'): string {
  return `${formatCursor(run, seq)} snapshot of ${covers} ${part}`;
}
