import type { Files } from '../../env/files.ts';
import { newline } from '../../value/sealed-line.ts';
import type { StoredRecord } from '../contract.ts';
import { openRecordLine, openTailLine } from './commit-lines.ts';
import { type DamagedPlace, damaged, notAsWritten } from './damage.ts';
import { type RunPlace, shownSegment } from './run-place.ts';
import type { RunState } from './run-state.ts';
import { kindOfLine, readSegment } from './segment-file.ts';
import { isMissing } from './system-error.ts';

/** Which records: all of these seqs, which the run is known to have. */
export interface RecordRange {
  readonly place: RunPlace;
  readonly state: RunState;
  readonly from: number;
  readonly to: number;
}

/** Reads the records of a range, and no segment that has none of them. @throws HOLDFAST_DAMAGED */
export async function readRecords(files: Files, range: RecordRange): Promise<readonly StoredRecord[]> {
  const records: StoredRecord[] = [];
  for (const segment of segmentsOf(range)) {
    const bytes = await readBytes(files, range, segment);
    records.push(...recordsIn(bytes, range, segment));
  }
  return records;
}

/** Finds every chosen id of a range and its seq. @throws HOLDFAST_DAMAGED */
export async function readIds(files: Files, range: RecordRange): Promise<Map<string, number>> {
  const ids = new Map<string, number>();
  for (const segment of segmentsOf(range)) {
    const bytes = await readBytes(files, range, segment);
    if (!bytes.includes(',"key":')) continue;
    for (const { id, seq } of recordsIn(bytes, range, segment)) if (id !== undefined) ids.set(id, seq);
  }
  return ids;
}

/** A segment and those of the records in it that are asked for. */
interface SegmentPart {
  readonly first: number;
  readonly from: number;
  readonly to: number;
  /** How much of the segment counts. */
  readonly end: number;
}

/** A segment has the records from its name up to the next one's. */
function segmentsOf({ state, from, to }: RecordRange): readonly SegmentPart[] {
  return state.segments.flatMap((first, at) => {
    const next = state.segments[at + 1];
    const end = next === undefined ? state.end : Number.POSITIVE_INFINITY;
    const part = { first, from: Math.max(from, first), to: Math.min(to, (next ?? Number.POSITIVE_INFINITY) - 1), end };
    return part.from <= part.to ? [part] : [];
  });
}

async function readBytes(files: Files, { place, state }: RecordRange, { first, end }: SegmentPart): Promise<Buffer> {
  try {
    const bytes = await readSegment(files, { place, first });
    return bytes.subarray(0, Math.min(bytes.length, end));
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw damaged('it is missing', { file: shownSegment(place, first), run: state.tail.header.run, seq: first });
  }
}

/** Checks each line from the one after the record before the range to the one before the record after it. */
function recordsIn(bytes: Buffer, { place, state }: RecordRange, part: SegmentPart): readonly StoredRecord[] {
  const { first, from, to } = part;
  const { run } = state.tail.header;
  const segment = { folder: place.folder, first };
  const records: StoredRecord[] = [];
  let next = first;
  let line = 0;
  const bad = (what: string): Error => {
    const where: DamagedPlace = { file: shownSegment(place, first), line, run, seq: next };
    return damaged(what, where);
  };
  for (let at = 0; at < bytes.length; ) {
    const stop = bytes.indexOf(newline, at);
    line += 1;
    if (stop === -1) throw bad('it has no end');
    const content = bytes.subarray(at, stop);
    const kind = kindOfLine(content);
    if (kind === undefined) throw bad('it is neither a record nor the end of a commit');
    if (kind === 'tail') {
      if (next >= from && openTailLine(segment, at, content) === undefined) throw bad(notAsWritten);
    } else if (kind > to) {
      break;
    } else if (kind >= from) {
      const record = openRecordLine(segment, at, content);
      if (record === undefined) throw bad(notAsWritten);
      if (record.seq !== from + records.length) throw bad(`it is record ${record.seq}, out of its turn`);
      records.push(record);
    }
    if (kind !== 'tail') next = kind + 1;
    at = stop + 1;
  }
  if (from + records.length <= to) throw bad(`record ${from + records.length} is missing`);
  return records;
}
