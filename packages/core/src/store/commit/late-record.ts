import { isBare, type NewEntry, type RecordKind } from '../../record/record.ts';
import { encodeEntry } from '../../record/record-codec.ts';
import { checksum } from '../../value/checksum.ts';
import { isSmall } from '../../value/codec.ts';
import type { Place } from '../../value/cursor.ts';
import { plainSize } from '../../value/plain-size.ts';
import type { StoredRecord } from '../contract.ts';
import { recordPlace, sealRecord } from './encode.ts';

/** A record of which the text and the checksum are made when they are read. */
class LateRecord implements StoredRecord {
  readonly seq: number;
  /** A lower bound of the bytes of its text. */
  readonly size: number;
  readonly #runId: string;
  #entry: NewEntry | undefined;
  #text: string | undefined;

  constructor({ runId, seq }: Place, entry: NewEntry, size: number) {
    this.seq = seq;
    this.size = size;
    this.#runId = runId;
    this.#entry = entry;
  }

  get id(): undefined {
    return undefined;
  }

  get text(): string {
    this.#text ??= encodeEntry(this.#entry as NewEntry);
    this.#entry = undefined;
    return this.#text;
  }

  get crc(): number {
    return checksum(recordPlace({ runId: this.#runId, seq: this.seq }), this.text);
  }
}

/** Records that consist of nothing but frozen copies and what the engine made for them alone. */
const lateKinds: ReadonlySet<RecordKind> = new Set<RecordKind>(['run-start', 'superstep', 'run-end']);
/** What a record is at least, besides its payload. */
const envelopeBytes = 30;

/**
 * A record for a driver that keeps the very objects it is given: one that nobody changes is encoded when it is read, and
 * most are not. Tagged values may hold bytes, which cannot be frozen, and of a large one it is not known whether it is
 * too large: those are encoded now.
 */
export function sealLate(place: Place, entry: NewEntry): StoredRecord {
  if (!isBare(entry) || !lateKinds.has(entry.kind)) return sealRecord(place, entry);
  const size = envelopeBytes + plainSize(entry.payload);
  // Not a number where the text is not simply the payload's JSON.
  return isSmall(size) ? new LateRecord(place, entry, size) : sealRecord(place, entry);
}

/** About how many bytes a record takes; without encoding one that is not. */
export function recordBytes(record: StoredRecord): number {
  return record instanceof LateRecord ? record.size : record.text.length;
}
