import { isSealedLine, openLine, sealLine } from '../../../value/sealed-line.ts';
import type { StoredRecord } from '../../contract/commit.ts';
import { decodeRecord, encodeRecord, recordStart, seqOfLine } from './record-line.ts';
import { decodeTail, encodeTail, type Tail, tailStart } from './tail.ts';

/**
 * Which file a line is in: the run's folder, named by a hash of its id, and the first seq that the file may hold. Both
 * are known before anything is read.
 */
export interface SegmentPlace {
  readonly folder: string;
  readonly first: number;
}

interface NewCommit extends SegmentPlace {
  readonly records: readonly StoredRecord[];
  /** `from` and `records` are filled in. */
  readonly tail: Tail;
  /** Where in the segment the commit is to stand. */
  readonly from: number;
}

/** A commit as it is appended to a segment, and its tail as it is written. */
export function encodeCommit({ folder, first, records, tail, from }: NewCommit): {
  readonly bytes: Buffer;
  readonly tail: Tail;
} {
  const place = segmentStart({ folder, first });
  let text = '';
  let offset = from;
  for (const record of records) {
    const line = sealLine(`${place}${offset} `, encodeRecord(record));
    offset += Buffer.byteLength(line);
    text += line;
  }
  const { rev, snapshots, keepTo, snapshot, dropped, kept, header } = tail;
  const written = { from, records: records.length, rev, snapshots, keepTo, snapshot, dropped, kept, header };
  text += sealLine(`${place}${offset} `, encodeTail(written));
  return { bytes: Buffer.from(text), tail: written };
}

/** The record of a line; undefined when it is not what was written there. */
export function openRecordLine(segment: SegmentPlace, offset: number, line: Uint8Array): StoredRecord | undefined {
  const open = openLine(linePlace(segment, offset), line);
  return open?.startsWith(recordStart) ? decodeRecord(open) : undefined;
}

/** The seq of a record's line, without the record; undefined when the line is not what was written there. */
export function seqOfRecordLine(segment: SegmentPlace, offset: number, line: Uint8Array): number | undefined {
  const seq = seqOfLine(line);
  return seq !== undefined && isAsWritten(segment, offset, line) ? seq : undefined;
}

/** The tail of a line; undefined when it is not what was written there. */
export function openTailLine(segment: SegmentPlace, offset: number, line: Uint8Array): Tail | undefined {
  const open = openLine(linePlace(segment, offset), line);
  return open?.startsWith(tailStart) ? decodeTail(`${open}}`) : undefined;
}

/** Whether a line is what was written there, whatever it says. */
export function isAsWritten(segment: SegmentPlace, offset: number, line: Uint8Array): boolean {
  return isSealedLine(linePlace(segment, offset), line);
}

/** The offset is part of the place: a line that is dropped, doubled or swapped is found by all that stand after it. */
function linePlace(segment: SegmentPlace, offset: number): string {
  return `${segmentStart(segment)}${offset} `;
}

function segmentStart({ folder, first }: SegmentPlace): string {
  return `${folder} ${first} `;
}
