import type { NewEntry } from '../record/record.ts';
import { encodeEntryLate } from '../record/record-codec.ts';
import { checksum } from '../value/checksum.ts';
import type { LateText } from '../value/codec.ts';
import type { Place } from '../value/cursor.ts';
import type { StoredRecord } from './contract.ts';
import { recordPlace, sealRecord } from './seal.ts';

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
 * A record for a driver that keeps the very objects it is given: a step's record, which nobody changes, is encoded when
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
