import type { FileHandle, Files } from '../../../env/files.ts';
import { newline } from '../../../value/hash/sealed-line.ts';
import { corrupt, notAsWritten } from '../errors.ts';
import { type RunPlace, segmentPath, shownSegment } from '../run/run-place.ts';
import { openTailLine, type SegmentPlace, seqOfRecordLine } from './commit-lines.ts';
import { seqOfLine } from './record-line.ts';
import { withoutEmptiness, withoutRoom } from './segment-room.ts';
import { findCommit, type GoodPart, goodPart, isTorn, type SegmentBytes } from './segment-scan.ts';
import type { Tail } from './tail.ts';

/** Enough for the last commit of most runs. */
const tailBytes = 8_192;

/** One segment of a run. */
export interface SegmentWish {
  readonly place: RunPlace;
  readonly first: number;
}

/** What was found in a segment. */
export interface FoundSegment extends GoodPart {
  /** What follows the good part was never finished. */
  readonly torn: boolean;
}

type ReadSegment = (files: Files, wish: SegmentWish) => Promise<Buffer>;

/** All that was written to a segment. */
export async function readSegment(files: Files, { place, first }: SegmentWish): Promise<Buffer> {
  const bytes = await files.readAll(segmentPath(place, first));
  return withoutRoom(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length));
}

/** The same of a segment that another one follows. Its room may still be there: cutting it off may not have been durable. */
export async function readFollowed(files: Files, wish: SegmentWish): Promise<Buffer> {
  return withoutEmptiness(await readSegment(files, wish));
}

/** Reads and checks every line of a segment, given how to read it. @throws HOLDFAST_CORRUPT */
export async function checkSegment(
  files: Files,
  wish: SegmentWish,
  read: ReadSegment = readSegment,
): Promise<FoundSegment> {
  const { place, first } = wish;
  const bytes = await read(files, wish);
  const segment: SegmentBytes = { bytes, base: 0, first, folder: place.folder };
  const good = goodPart(segment);
  if (good.end === bytes.length) return { ...good, torn: false };
  if (isTorn(segment, good.end)) return { ...good, torn: true };
  throw corruptLine(place, segment, good);
}

/** Reads only the last commit of a segment; undefined when that is not whole and valid, and the rest has to be read. */
export async function readTail(files: Files, wish: SegmentWish): Promise<GoodPart | undefined> {
  const { place, first } = wish;
  const segment = { folder: place.folder, first };
  const handle = await files.open(segmentPath(place, first), 'read');
  try {
    const last = await lastLine(handle);
    if (last === undefined) return undefined;
    const tail = openTailLine(segment, last.at, last.line);
    if (tail === undefined || tail.from > last.at) return undefined;
    const bytes = Buffer.from(await handle.read(tail.from, last.end - tail.from));
    const found = findCommit({ ...segment, bytes, base: tail.from }, 0);
    return found?.to === bytes.length ? { tail: found.tail, end: last.end } : undefined;
  } finally {
    await handle.close();
  }
}

interface Line {
  readonly at: number;
  readonly line: Buffer;
  readonly end: number;
}

async function lastLine(handle: FileHandle): Promise<Line | undefined> {
  const size = await handle.size();
  for (let length = tailBytes; ; length *= 8) {
    const base = Math.max(0, size - length);
    const bytes = withoutRoom(Buffer.from(await handle.read(base, size - base)));
    // Only room: the commits come before it.
    if (bytes.length === 0 && base > 0) continue;
    if (bytes.at(-1) !== newline) return undefined;
    const at = bytes.lastIndexOf(newline, bytes.length - 2) + 1;
    if (at > 0 || base === 0) return { at: base + at, line: bytes.subarray(at, -1), end: base + bytes.length };
  }
}

/** Names the first line that is not what was written. */
function corruptLine(place: RunPlace, segment: SegmentBytes, { tail, end }: GoodPart): Error {
  const { bytes, first } = segment;
  let line = 1;
  for (let at = bytes.indexOf(newline); at !== -1 && at < end; at = bytes.indexOf(newline, at + 1)) line += 1;
  let seq = tail?.header.head ?? first - 1;
  for (let at = end; ; line += 1) {
    const stop = bytes.indexOf(newline, at);
    const content = bytes.subarray(at, stop === -1 ? bytes.length : stop);
    if (seqOfRecordLine(segment, at, content) !== seq + 1) break;
    seq += 1;
    at = stop + 1;
  }
  const file = shownSegment(place, first);
  return corrupt(notAsWritten, { file, line, runId: tail?.header.runId, seq: seq + 1 });
}

/** What a line is, by its first bytes: a tail, or the record with this seq. */
export function kindOfLine(line: Uint8Array): 'tail' | number | undefined {
  if (Buffer.from(line.buffer, line.byteOffset, Math.min(line.length, 12)).toString('latin1') === '{"end":true,') {
    return 'tail';
  }
  return seqOfLine(line);
}

/** Every valid tail of a segment, to find out which snapshots they name. */
export function* tailsOf(segment: SegmentPlace, bytes: Buffer): Generator<Tail> {
  for (let at = 0; at < bytes.length; ) {
    const stop = bytes.indexOf(newline, at);
    const end = stop === -1 ? bytes.length : stop;
    const line = bytes.subarray(at, end);
    const tail = kindOfLine(line) === 'tail' ? openTailLine(segment, at, line) : undefined;
    if (tail !== undefined) yield tail;
    at = end + 1;
  }
}
