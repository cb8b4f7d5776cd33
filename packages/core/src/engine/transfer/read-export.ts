import { HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { type Entry, journalKinds, type NewEntry } from '../../record/record.ts';
import { decodeEntry } from '../../record/record-codec.ts';
import type { KnownId } from '../../store/check/known-id.ts';
import { decodeValue } from '../../value/codec/codec.ts';
import { isPlainObject } from '../../value/codec/plain-object.ts';
import { checkRunId } from '../../value/id.ts';
import { RunningHash } from '../../value/running-hash.ts';
import { openLine } from '../../value/sealed-line.ts';
import { asCounts, asIds, asMovedRun } from './check-moved-run.ts';
import { type ExportStart, exportStart, exportVersion, linePlace } from './export-line.ts';
import { linesOf } from './lines-of.ts';
import { beginOf, type MovedRun, type Part } from './moved-run.ts';

/** A piece of an export. Nothing can be trusted before `whole`, which comes last. */
export type ExportItem =
  | ({ readonly type: 'start' } & ExportStart)
  | { readonly type: 'run'; readonly moved: MovedRun }
  | { readonly type: 'ids'; readonly ids: readonly KnownId[] }
  | { readonly type: 'record'; readonly seq: number; readonly entry: NewEntry }
  | { readonly type: 'snapshot'; readonly snapshot: NonNullable<Part['snapshot']> }
  | { readonly type: 'whole' };

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads what `exportRun` wrote, and checks each line and its place.
 *
 * @throws HOLDFAST_FOREIGN_FILE, HOLDFAST_UNKNOWN_FORMAT, HOLDFAST_CORRUPT with the line
 */
export async function* readExport(source: AsyncIterable<Uint8Array> | Uint8Array): AsyncGenerator<ExportItem> {
  const reader = new ExportReader();
  const hash = new RunningHash();
  let number = 0;
  for await (const line of linesOf(source)) {
    number += 1;
    if (number === 1) checkStart(line.bytes);
    if (reader.isWhole) throw corrupt(number, 'comes after the end');
    const open = line.isWhole ? openLine(linePlace(number), line.bytes.subarray(0, -1)) : undefined;
    if (open === undefined) throw corrupt(number, line.isWhole ? 'does not match its checksum' : 'is cut off');
    const item = reader.take(number, JSON.parse(`${open}}`) as Fields, () => hash.hex());
    hash.add(line.bytes);
    yield item;
  }
  if (number === 0) throw foreign();
  if (!reader.isWhole) throw corrupt(number + 1, 'is missing: the file is cut off');
}

/** Keeps track of the lines so far, and checks that the next one fits. */
class ExportReader {
  isWhole = false;
  readonly #runs = new Map<string, MovedRun>();
  #root = '';
  #now: RunSoFar | undefined;
  #records = 0;
  #snapshots = 0;

  take(line: number, fields: Fields, hash: () => string): ExportItem {
    try {
      if ('holdfast' in fields) return this.#start(line, fields);
      if ('end' in fields && 'sha256' in fields) return this.#end(line, fields, hash());
      if ('runId' in fields) return this.#run(line, fields);
      if ('ids' in fields) return this.#ids(line, fields);
      if ('record' in fields) return this.#record(line, fields);
      if ('snapshot' in fields) return this.#snapshot(line, fields);
    } catch (error) {
      throw located(line, error);
    }
    throw corrupt(line, 'holds nothing known');
  }

  #start(line: number, { root, redacted }: Fields): ExportItem {
    if (line !== 1 || typeof redacted !== 'boolean') throw corrupt(line, 'is not a valid first line');
    this.#root = checkRunId(root);
    return { type: 'start', root: this.#root, redacted };
  }

  #run(line: number, fields: Fields): ExportItem {
    this.#close(line);
    const moved = asMovedRun(fields);
    if (moved === undefined) throw corrupt(line, 'holds no run');
    const { runId, forkedAt } = moved;
    if (this.#runs.has(runId)) throw corrupt(line, `repeats run "${runId}"`);
    const below = forkedAt === null ? undefined : this.#runs.get(forkedAt.runId);
    const stands =
      forkedAt === null || (below !== undefined && forkedAt.seq <= below.head && forkedAt.seq >= beginOf(below));
    if (!stands) throw corrupt(line, `holds a fork of ${forkedAt.runId}@${forkedAt.seq}, which is not in the file`);
    this.#runs.set(runId, moved);
    if (this.#isOwnAncestor(runId)) throw corrupt(line, `makes run "${runId}" an ancestor of itself`);
    this.#now = { moved, seq: beginOf(moved), hasFloor: moved.floor === 0 };
    return { type: 'run', moved };
  }

  #ids(line: number, { ids }: Fields): ExportItem {
    const { moved, seq } = this.#current(line);
    const known = asIds(ids, beginOf(moved));
    if (known === undefined || seq !== beginOf(moved)) throw corrupt(line, 'holds ids out of place');
    return { type: 'ids', ids: known };
  }

  #record(line: number, { seq, record }: Fields): ExportItem {
    const { moved, seq: last } = this.#current(line);
    if (seq !== last + 1 || last >= moved.head) throw corrupt(line, 'holds a record out of order');
    const entry = decodeEntry({ runId: moved.runId, seq }, `j${JSON.stringify(record)}`);
    if (!belongs(moved, entry)) throw corrupt(line, `holds a ${entry.kind} record where none can be`);
    this.#current(line).seq = seq;
    this.#records += 1;
    return { type: 'record', seq, entry };
  }

  #snapshot(line: number, { snapshot, head, body }: Fields): ExportItem {
    const now = this.#current(line);
    const last = now.seq;
    const { covers, seq } = isPlainObject(snapshot) ? snapshot : {};
    const isPlaced = isSeq(covers) && isSeq(seq) && covers <= seq && seq <= last;
    if (!isPlaced) throw corrupt(line, 'holds a snapshot out of place');
    this.#snapshots += 1;
    now.hasFloor ||= covers === now.moved.floor;
    return { type: 'snapshot', snapshot: { covers, seq, head: valueOf(head), body: valueOf(body) } };
  }

  #end(line: number, { end, sha256 }: Fields, hash: string): ExportItem {
    this.#close(line);
    const counts = asCounts(end);
    const found = { runs: this.#runs.size, records: this.#records, snapshots: this.#snapshots };
    const isSame = counts !== undefined && Object.entries(found).every(([name, count]) => counts[name] === count);
    if (!isSame || sha256 !== hash) throw corrupt(line, 'does not match the lines before it');
    const [last] = [...this.#runs.keys()].slice(-1);
    if (last !== this.#root) throw corrupt(line, 'ends the file without its root run');
    this.isWhole = true;
    return { type: 'whole' };
  }

  /** Checks that a run is complete before the next one begins. */
  #close(line: number): void {
    const now = this.#now;
    if (line === 1) throw corrupt(line, 'is not a valid first line');
    if (now !== undefined && now.seq !== now.moved.head)
      throw corrupt(line, `comes before the end of run "${now.moved.runId}"`);
    if (now?.hasFloor === false)
      throw corrupt(line, `comes before the snapshot at the floor of run "${now.moved.runId}"`);
    this.#now = undefined;
  }

  /** Parents come after their children in a file, so every line may close a circle. */
  #isOwnAncestor(runId: string): boolean {
    const seen = new Set<string>();
    let at = this.#runs.get(runId)?.parentId ?? null;
    while (at !== null && at !== runId && !seen.has(at)) {
      seen.add(at);
      at = this.#runs.get(at)?.parentId ?? null;
    }
    return at === runId;
  }

  #current(line: number): RunSoFar {
    if (this.#now === undefined) throw corrupt(line, 'belongs to no run');
    return this.#now;
  }
}

/** The run whose lines are being read. */
interface RunSoFar {
  readonly moved: MovedRun;
  /** The last record so far. */
  seq: number;
  /** Whether the snapshot at its floor has come, if it needs one. */
  hasFloor: boolean;
}

/** Whether a run of this kind can have this record, and at this place. */
function belongs({ kind, forkedAt, floor }: MovedRun, entry: Entry): boolean {
  if (kind === 'journal') return journalKinds.has(entry.kind);
  const isFirst = floor === 0 && entry.seq === (forkedAt?.seq ?? 0) + 1;
  if (isFirst) return entry.kind === (forkedAt === null ? 'run-start' : 'fork');
  return entry.kind !== 'run-start' && entry.kind !== 'fork' && entry.kind !== 'checkpoint';
}

function isSeq(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}

function valueOf(json: unknown): unknown {
  return decodeValue(`j${JSON.stringify(json)}`);
}

/** Checks the version first, because other versions may have other checksums. */
function checkStart(bytes: Uint8Array): void {
  const text = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 256)).toString('latin1');
  if (!text.startsWith(exportStart)) throw foreign();
  const version = Number.parseInt(text.slice(exportStart.length), 10);
  if (version === exportVersion) return;
  throw holdfastError(
    'HOLDFAST_UNKNOWN_FORMAT',
    `The export has format version ${version}, but this Holdfast only reads version ${exportVersion}. Nothing was written. Use the version of Holdfast that wrote it, or a newer one.`,
    { details: { version } },
  );
}

function foreign(): Error {
  return holdfastError(
    'HOLDFAST_FOREIGN_FILE',
    'This file is not a Holdfast export: the first line is wrong. Import a file that engine.export wrote.',
  );
}

function corrupt(line: number, what: string, cause?: unknown): Error {
  return holdfastError(
    'HOLDFAST_CORRUPT',
    `The export is corrupt: line ${line} ${what}. Nothing was imported. Export the run again.`,
    { details: { where: `line ${line}`, line }, ...(cause !== undefined && { cause }) },
  );
}

/** Names the line of an error; an unknown record format stays that error. */
function located(line: number, error: unknown): unknown {
  if (!HoldfastError.is(error) || 'line' in error.details || error.code === 'HOLDFAST_UNKNOWN_FORMAT') return error;
  return corrupt(line, `cannot be read (${error.message})`, error);
}
