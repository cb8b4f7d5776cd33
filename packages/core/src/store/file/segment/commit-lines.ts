import { isSealedLine, openLine, sealLine } from '../../../value/hash/sealed-line.ts';
import { isRecordLine, seqOfLine } from './record-line.ts';
import { decodeTail, encodeTail, type Tail, tailStart } from './tail.ts';

/**
 * Which file a line is in: the run's folder, named by a hash of its id, and the first seq that the file may contain.
 * Both are known before anything is read.
 */
export interface SegmentPlace {
  readonly folder: string;
  readonly first: number;
}

interface NewCommit extends SegmentPlace {
  /** The lines of its records, as `encodeRecords` gives them. */
  readonly lines: readonly string[];
  /** `from` and `records` are filled in. */
  readonly tail: Tail;
  /** Where in the segment the commit begins. */
  readonly from: number;
}

/** A commit as it is appended to a segment, and its tail as it is written. */
export function encodeCommit({ folder, first, lines, tail, from }: NewCommit): {
  readonly bytes: Buffer;
  readonly tail: Tail;
} {
  const place = segmentStart({ folder, first });
  let text = '';
  let offset = from;
  for (const open of lines) {
    const line = sealLine(`${place}${offset} `, open);
    offset += Buffer.byteLength(line);
    text += line;
  }
  const written = { ...tail, from, records: lines.length };
  text += sealLine(`${place}${offset} `, encodeTail(written));
  return { bytes: Buffer.from(text), tail: written };
}

/** The line of a record without its checksum; undefined when it is not what was written there. */
export function openRecordLine(segment: SegmentPlace, offset: number, line: Uint8Array): string | undefined {
  const open = openLine(linePlace(segment, offset), line);
  return open !== undefined && isRecordLine(open) ? open : undefined;
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

/** The offset is part of the place: a line that is dropped, doubled or swapped makes all lines after it invalid. */
function linePlace(segment: SegmentPlace, offset: number): string {
  return `${segmentStart(segment)}${offset} `;
}

function segmentStart({ folder, first }: SegmentPlace): string {
  return `${folder} ${first} `;
}
