/**
 * What SQLite does with a log that it finds: it takes the frames up to the first one that does not match, and drops the
 * rest as never finished. A frame that was corrupt later looks the same, and takes all that was committed after it along.
 * This tells the two apart, as far as they can be: what comes after a commit was written when that one had been synced.
 */

/** Reads so many bytes of the log from an offset; fewer only at its end. */
export type ReadLog = (position: number, length: number) => Uint8Array;

const headBytes = 32;
const frameHeadBytes = 24;
/** Of the frame's head, what its checksum is of. */
const summedBytes = 8;
/** What a log begins with, by the order of bytes in what it sums up. */
const littleMagic = 0x377f0682;
const bigMagic = 0x377f0683;
const ourPageBytes = 4_096;

type Sum = readonly [number, number];

interface LogHead {
  readonly isBig: boolean;
  readonly pageBytes: number;
  /** What the frames have in common that belong to it, and what their checksums begin with; undefined: it is no head. */
  readonly start: { readonly salts: Sum; readonly sum: Sum } | undefined;
}

interface Frame {
  /** The last of its transaction. */
  readonly isCommit: boolean;
  readonly salts: Sum;
  /** What its checksum is said to be. */
  readonly stored: Sum;
  /** What it would be after the frame before. */
  readonly sumAfter: (before: Sum) => Sum;
}

/** Where the frame is that SQLite would end at, although what follows was committed; undefined where all is well. */
export function corruptFrame(read: ReadLog): number | undefined {
  const bytes = read(0, headBytes);
  if (bytes.length < headBytes) return undefined;
  const head = readHead(viewOf(bytes));
  const frames = framesOf(read, head);
  // SQLite takes a log without a head for empty; but the head was synced before the first frame was written.
  const end = head.start === undefined ? 0 : endOf(frames, head.start);
  if (end === undefined || !isGoneOnWith(frames, end, head)) return undefined;
  return head.start === undefined ? 0 : placeOf(end, head);
}

type Frames = (at: number) => Frame | undefined;

/** The first frame that does not match; undefined where all do. */
function endOf(frames: Frames, { salts, sum: start }: NonNullable<LogHead['start']>): number | undefined {
  let sum = start;
  for (let at = 0; ; at += 1) {
    const frame = frames(at);
    if (frame === undefined) return undefined;
    sum = frame.sumAfter(sum);
    if (!isSame(frame.salts, salts) || !isSame(sum, frame.stored)) return at;
  }
}

/** Whether any transaction from this frame on was followed by another, which is only begun when it has been synced. */
function isGoneOnWith(frames: Frames, from: number, { start }: LogHead): boolean {
  let before = frames(from);
  for (let at = from + 1; before !== undefined; at += 1) {
    const frame = frames(at);
    if (frame === undefined) return false;
    const isCommitted = before.isCommit && isSame(before.salts, start?.salts ?? frame.salts);
    const isNext = isCommitted && isSame(frame.salts, before.salts);
    if (isNext && isSame(frame.sumAfter(before.stored), frame.stored)) return true;
    before = frame;
  }
  return false;
}

function placeOf(frame: number, { pageBytes }: LogHead): number {
  return headBytes + frame * (frameHeadBytes + pageBytes);
}

function readHead(view: DataView): LogHead {
  const magic = view.getUint32(0);
  const isBig = magic === bigMagic;
  const sum = addSum([0, 0], view, { from: 0, to: 24, isBig });
  const isHead = (isBig || magic === littleMagic) && isSame(sum, pairAt(view, 24));
  if (!isHead) return { isBig: false, pageBytes: ourPageBytes, start: undefined };
  return { isBig, pageBytes: view.getUint32(8), start: { salts: pairAt(view, 16), sum } };
}

/** Frames by their number; undefined past the last whole one. Reads many at a time: they are asked for in order. */
function framesOf(read: ReadLog, head: LogHead): (at: number) => Frame | undefined {
  const frameBytes = frameHeadBytes + head.pageBytes;
  const together = Math.max(1, Math.floor(1_048_576 / frameBytes));
  let first = 0;
  let bytes: Uint8Array = new Uint8Array();
  return (at) => {
    if (at < first || at >= first + together || bytes.length === 0) {
      first = at;
      bytes = read(placeOf(at, head), together * frameBytes);
    }
    const from = (at - first) * frameBytes;
    return from + frameBytes > bytes.length
      ? undefined
      : frameOf(viewOf(bytes.subarray(from, from + frameBytes)), head);
  };
}

function frameOf(view: DataView, { isBig }: LogHead): Frame {
  return {
    isCommit: view.getUint32(4) !== 0,
    salts: pairAt(view, 8),
    stored: pairAt(view, 16),
    sumAfter: (before) => {
      const sum = addSum(before, view, { from: 0, to: summedBytes, isBig });
      return addSum(sum, view, { from: frameHeadBytes, to: view.byteLength, isBig });
    },
  };
}

interface Span {
  readonly from: number;
  readonly to: number;
  readonly isBig: boolean;
}

/** SQLite's own checksum of a log. */
function addSum([first, second]: Sum, view: DataView, { from, to, isBig }: Span): Sum {
  let low = first;
  let high = second;
  for (let at = from; at < to; at += 8) {
    low = (low + view.getUint32(at, !isBig) + high) | 0;
    high = (high + view.getUint32(at + 4, !isBig) + low) | 0;
  }
  return [low >>> 0, high >>> 0];
}

function pairAt(view: DataView, at: number): Sum {
  return [view.getUint32(at), view.getUint32(at + 4)];
}

function isSame([first, second]: Sum, other: Sum): boolean {
  return first === other[0] && second === other[1];
}

function viewOf(bytes: Uint8Array): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
