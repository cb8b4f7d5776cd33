import type { Files } from '../../../env/files.ts';
import { newline } from '../../../value/hash/sealed-line.ts';
import type { StoredId, StoredRecord } from '../../contract/commit.ts';
import { isCorruption } from '../../is-corruption.ts';
import { type CorruptPlace, corrupt, isMissing, notAsWritten } from '../errors.ts';
import type { FileRunState } from '../run/file-run-state.ts';
import { type RunPlace, shownSegment } from '../run/run-place.ts';
import { isAsWritten, openRecordLine } from './commit-lines.ts';
import { decodeRecord, idOf } from './record-line.ts';
import { kindOfLine, readFollowed, readSegment } from './segment-file.ts';

/** Which records: all of these seqs, which the run is known to have. */
export interface RecordRange {
  readonly place: RunPlace;
  readonly state: FileRunState;
  readonly from: number;
  readonly to: number;
}

/** Reads the records of a range, and no segment that has none of them. @throws HOLDFAST_CORRUPT */
export async function readRecords(files: Files, range: RecordRange): Promise<readonly StoredRecord[]> {
  return (await readLines(files, range)).map(decodeRecord);
}

/** Reads the same as lines, without their checksums. @throws HOLDFAST_CORRUPT */
export async function readLines(files: Files, range: RecordRange): Promise<readonly string[]> {
  const lines: string[] = [];
  for (const segment of segmentsOf(range)) {
    const bytes = await readBytes(files, range, segment);
    // One by one: a call cannot take so many arguments.
    for (const line of linesIn(bytes, range, segment)) lines.push(line);
  }
  return lines;
}

/** Finds every id of a range. @throws HOLDFAST_CORRUPT unless corrupt records are skipped */
export async function readRecordIds(
  files: Files,
  range: RecordRange,
  { skipsCorrupt = false }: { readonly skipsCorrupt?: boolean | undefined } = {},
): Promise<readonly StoredId[]> {
  const ids: StoredId[] = [];
  for (const segment of segmentsOf(range)) {
    const bytes = await readBytes(files, range, segment).catch((error: unknown) => {
      if (skipsCorrupt && isCorruption(error)) return Buffer.alloc(0);
      throw error;
    });
    if (!bytes.includes(',"key":')) continue;
    for (const line of skipsCorrupt ? goodLines(bytes, range, segment) : linesIn(bytes, range, segment)) {
      const id = idOf(line);
      if (id !== undefined) ids.push(id);
    }
  }
  return ids;
}

/** A segment and those of the records in it that are asked for. */
interface SegmentPart {
  readonly first: number;
  readonly from: number;
  readonly to: number;
  /** How much of the segment counts; undefined for one that another follows. */
  readonly end: number | undefined;
}

/** A segment has the records from its name up to the next one's. */
function segmentsOf({ state, from, to }: RecordRange): readonly SegmentPart[] {
  return state.segments.flatMap((first, at) => {
    const next = state.segments[at + 1];
    const end = next === undefined ? state.end : undefined;
    const part = { first, from: Math.max(from, first), to: Math.min(to, (next ?? Number.POSITIVE_INFINITY) - 1), end };
    return part.from <= part.to ? [part] : [];
  });
}

async function readBytes(files: Files, { place, state }: RecordRange, { first, end }: SegmentPart): Promise<Buffer> {
  try {
    if (end === undefined) return await readFollowed(files, { place, first });
    const bytes = await readSegment(files, { place, first });
    return bytes.subarray(0, Math.min(bytes.length, end));
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw corrupt('it is missing', { file: shownSegment(place, first), runId: state.tail.header.runId, seq: first });
  }
}

/**
 * Begins near the first wanted record; what comes before it is not read. If anything is wrong, the segment is read from its
 * beginning, to say where.
 */
function linesIn(bytes: Buffer, range: RecordRange, part: SegmentPart): readonly string[] {
  const start = startOf(bytes, part.from);
  if (start === 0) return scan(bytes, range, { ...part, start });
  try {
    return scan(bytes, range, { ...part, start });
  } catch {
    return scan(bytes, range, { ...part, start: 0 });
  }
}

/** Below this, reading every line is as fast. */
const nearBytes = 4_096;

/** Where a line begins shortly before the record with this seq; seqs grow along a segment. */
function startOf(bytes: Buffer, seq: number): number {
  let low = 0;
  let high = bytes.length;
  while (high - low > nearBytes) {
    const middle = (low + high) >>> 1;
    const found = recordLineFrom(bytes, middle, high);
    if (found === undefined || found.seq >= seq) high = middle;
    else low = found.at;
  }
  return low;
}

interface RecordLine {
  readonly at: number;
  readonly seq: number;
}

/** The first line with a record that begins past a place, and before another. */
function recordLineFrom(bytes: Buffer, from: number, to: number): RecordLine | undefined {
  for (let at = bytes.indexOf(newline, from) + 1; at > 0 && at < to; at = bytes.indexOf(newline, at) + 1) {
    const kind = kindOfLine(bytes.subarray(at, at + lineStart));
    if (typeof kind === 'number') return { at, seq: kind };
  }
  return undefined;
}

/** As much of a line as `kindOfLine` looks at. */
const lineStart = 32;

/** The wanted records of a segment that are as they were written. */
function* goodLines(bytes: Buffer, { place }: RecordRange, { first, from, to }: SegmentPart): Generator<string> {
  for (let at = 0; at < bytes.length; ) {
    const stop = bytes.indexOf(newline, at);
    const end = stop === -1 ? bytes.length : stop;
    const content = bytes.subarray(at, end);
    const kind = kindOfLine(content);
    const isWanted = typeof kind === 'number' && kind >= from && kind <= to;
    const open = isWanted ? openRecordLine({ folder: place.folder, first }, at, content) : undefined;
    if (open !== undefined) yield open;
    at = end + 1;
  }
}

/** Checks each line from the one after the record before the range to the one before the record after it. */
function scan(
  bytes: Buffer,
  { place, state }: RecordRange,
  part: SegmentPart & { readonly start: number },
): readonly string[] {
  const { first, from, to, start } = part;
  const { runId } = state.tail.header;
  const segment = { folder: place.folder, first };
  const lines: string[] = [];
  let next = first;
  let line = 0;
  const bad = (what: string): Error => {
    const where: CorruptPlace = { file: shownSegment(place, first), line, runId, seq: next };
    return corrupt(what, where);
  };
  for (let at = start; at < bytes.length; ) {
    const stop = bytes.indexOf(newline, at);
    line += 1;
    if (stop === -1) throw bad('it has no end');
    const content = bytes.subarray(at, stop);
    const kind = kindOfLine(content);
    if (kind === undefined) {
      // Below the range, others may have been told of it: if it hides a wanted record, that one is missing.
      if (next >= from) throw bad('it is neither a record nor the end of a commit');
    } else if (kind === 'tail') {
      if (next >= from && !isAsWritten(segment, at, content)) throw bad(notAsWritten);
    } else if (kind > to) {
      break;
    } else if (kind >= from) {
      const open = openRecordLine(segment, at, content);
      if (open === undefined) throw bad(notAsWritten);
      if (kind !== from + lines.length) throw bad(`it is record ${kind}, out of order`);
      lines.push(open);
    }
    if (typeof kind === 'number') next = kind + 1;
    at = stop + 1;
  }
  if (from + lines.length <= to) throw bad(`record ${from + lines.length} is missing`);
  return lines;
}
