import { newline } from '../../../value/hash/sealed-line.ts';
import { openTailLine, type SegmentPlace, seqOfRecordLine } from './commit-lines.ts';
import { lacksSectors, withoutEmptiness } from './segment-room.ts';
import { type Tail, tailStart } from './tail.ts';

/** The bytes of a segment, or of its end. */
export interface SegmentBytes extends SegmentPlace {
  readonly bytes: Buffer;
  /** Where in the segment the bytes begin. */
  readonly base: number;
}

/** A whole and valid commit. Places are in the bytes. */
export interface FoundCommit {
  readonly tail: Tail;
  readonly to: number;
}

/** The commit that begins there; undefined when it is not whole or not what was written. */
export function findCommit(segment: SegmentBytes, from: number): FoundCommit | undefined {
  const { bytes, base } = segment;
  const seqs: number[] = [];
  for (let at = from; ; ) {
    const stop = bytes.indexOf(newline, at);
    if (stop === -1) return undefined;
    const line = bytes.subarray(at, stop);
    const seq = seqOfRecordLine(segment, base + at, line);
    if (seq === undefined) {
      const tail = openTailLine(segment, base + at, line);
      const isWhole = tail !== undefined && tail.from === base + from && tail.records === seqs.length;
      return isWhole && seqs.every((seq, index) => seq === tail.header.head - seqs.length + 1 + index)
        ? { tail, to: stop + 1 }
        : undefined;
    }
    seqs.push(seq);
    at = stop + 1;
  }
}

/** How far a segment is good: the last tail of its whole and valid commits, and where that one ends. */
export interface GoodPart {
  readonly tail: Tail | undefined;
  readonly end: number;
}

/** Reads a whole segment from its beginning up to the first commit that is not good. */
export function goodPart(segment: SegmentBytes): GoodPart {
  let good: GoodPart = { tail: undefined, end: 0 };
  for (;;) {
    const found = good.end < segment.bytes.length ? findCommit(segment, good.end) : undefined;
    if (found === undefined || !follows(good.tail, found.tail)) return good;
    good = { tail: found.tail, end: found.to };
  }
}

/** Seqs and revisions continue from one commit to the next. */
function follows(before: Tail | undefined, next: Tail): boolean {
  if (before === undefined) return true;
  return before.rev + 1 === next.rev && before.header.head + next.records === next.header.head;
}

/**
 * Whether what follows the good part is a commit that was never finished, and so never acknowledged. Our lines contain
 * neither NUL nor tab; lost sectors read as zeros in a new block, and as tabs where there was room. Everything else is
 * corruption:
 *
 * - a commit that ends in its newline and contains neither was written to its end, and changed since;
 * - a single one inside is a flipped bit: lost sectors leave more than one, or the first or last byte of the commit;
 * - a whole commit with another byte instead of its last newline had its newline flipped;
 * - a commit that others follow was finished before they began.
 *
 * Zeros after the end are not others: a file grows before its sectors are written, and `settle` puts one there.
 */
export function isTorn(segment: SegmentBytes, from: number): boolean {
  const { bytes, base } = segment;
  const rest = withoutEmptiness(bytes.subarray(from));
  const end = from + rest.length;
  let onlyRecords = true;
  for (let at = from; at < end; ) {
    const stop = bytes.indexOf(newline, at);
    if (stop === -1) break;
    const line = bytes.subarray(at, stop);
    if (line.toString('latin1', 0, tailStart.length) === tailStart) {
      const tail = openTailLine(segment, base + at, line);
      if (stop + 1 < end || (tail !== undefined && tail.from !== base + from)) return false;
    }
    onlyRecords &&= seqOfRecordLine(segment, base + at, line) !== undefined;
    at = stop + 1;
  }
  if (rest.length === 0 || lacksSectors(rest)) return true;
  if (rest.at(-1) === newline) return onlyRecords;
  return !isFlippedNewline({ ...segment, bytes: bytes.subarray(0, end) }, from);
}

function isFlippedNewline(segment: SegmentBytes, from: number): boolean {
  const bytes = Buffer.from(segment.bytes);
  bytes[bytes.length - 1] = newline;
  return findCommit({ ...segment, bytes }, from)?.to === bytes.length;
}
