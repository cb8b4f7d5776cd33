import { HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { isSavedBody, isSavedHead } from '../../journal/checkpoint/saved-checkpoint.ts';
import { type Entry, journalKinds, type NewEntry } from '../../record/record.ts';
import { decodeEntry } from '../../record/record-codec.ts';
import type { KnownId } from '../../store/check/known-id.ts';
import { openSnapshot } from '../../store/commit/encode.ts';
import type { Sealed, SnapshotKey } from '../../store/contract/commit.ts';
import { decodeValue } from '../../value/codec/codec.ts';
import { isPlainObject } from '../../value/codec/plain-object.ts';
import { isTooDeep } from '../../value/codec/untag.ts';
import { isCount, isText, objectOf } from '../../value/data-shape.ts';
import { RunningHash } from '../../value/hash/running-hash.ts';
import { openLine } from '../../value/hash/sealed-line.ts';
import { checkRunId } from '../../value/id.ts';
import { missingKey, type ReadSecret } from '../../value/secret/secret.ts';
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
export async function* readExport(
  source: AsyncIterable<Uint8Array> | Uint8Array,
  read: ReadSecret = missingKey,
): AsyncGenerator<ExportItem> {
  const reader = new ExportReader(read);
  const hash = new RunningHash();
  let number = 0;
  for await (const line of linesOf(source)) {
    number += 1;
    if (number === 1) checkStart(line.bytes);
    if (reader.isWhole) throw corrupt(number, 'comes after the end');
    const open = line.isWhole ? openLine(linePlace(number), line.bytes.subarray(0, -1)) : undefined;
    if (open === undefined) throw corrupt(number, line.isWhole ? 'does not match its checksum' : 'is cut off');
    const item = reader.take(number, `${open}}`, () => hash.hex());
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
  #headerBytes = 0;
  readonly #read: ReadSecret;

  constructor(read: ReadSecret) {
    this.#read = read;
  }

  take(line: number, text: string, hash: () => string): ExportItem {
    try {
      const fields = JSON.parse(text) as Fields;
      if (!isPlainObject(fields)) throw corrupt(line, 'is no object');
      if (isTooDeep(fields, text)) throw corrupt(line, 'is nested too deep');
      if ('runId' in fields || 'holdfast' in fields) this.#countHeader(line, text);
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
    const entry = decodeEntry({ runId: moved.runId, seq }, `j${JSON.stringify(record)}`, this.#read);
    if (!belongs(moved, entry)) throw corrupt(line, `holds a ${entry.kind} record where none can be`);
    this.#current(line).seq = seq;
    this.#records += 1;
    return { type: 'record', seq, entry };
  }

  /** Headers are kept until the whole file is read, so all of them together have a limit. */
  #countHeader(line: number, text: string): void {
    this.#headerBytes += text.length;
    if (this.#headerBytes > maxHeaderBytes) throw tooManyHeaders(line);
  }

  #snapshot(line: number, { snapshot, sealed, head, body }: Fields): ExportItem {
    const now = this.#current(line);
    const last = now.seq;
    const { covers, seq } = isPlainObject(snapshot) ? snapshot : {};
    const isPlaced = isSeq(covers) && isSeq(seq) && covers <= seq && seq <= last;
    if (!isPlaced) throw corrupt(line, 'holds a snapshot out of place');
    this.#snapshots += 1;
    now.hasFloor ||= covers === now.moved.floor;
    const content =
      sealed === undefined
        ? { head: valueOf(head), body: valueOf(body) }
        : this.#opened(line, now.moved.runId, { covers, seq }, sealed);
    if (now.moved.kind === 'journal' && !(isSavedHead(content.head) && isSavedBody(content.body)))
      throw corrupt(line, 'holds no checkpoint');
    return { type: 'snapshot', snapshot: { covers, seq, ...content } };
  }

  #opened(line: number, runId: string, key: SnapshotKey, sealed: unknown): { head: unknown; body: unknown } {
    if (!isSealedPair(sealed)) throw corrupt(line, 'holds no sealed snapshot');
    const opened = openSnapshot(runId, { ...key, ...sealed }, this.#read);
    if (!opened.ok) throw opened.error;
    return { head: opened.head, body: opened.body };
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

const isSealed = objectOf({ text: isText, crc: isCount });
const isSealedPairShape = objectOf({ head: isSealed, body: isSealed });

function isSealedPair(value: unknown): value is { readonly head: Sealed; readonly body: Sealed } {
  return isSealedPairShape(value);
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

/** The most that the headers of all runs in a file may take, in characters. */
const maxHeaderBytes = 64 * 1024 * 1024;

function tooManyHeaders(line: number): Error {
  return holdfastError(
    'HOLDFAST_TOO_LARGE',
    `The export has headers of more than ${maxHeaderBytes} bytes, at line ${line}. Nothing was imported. Export fewer runs into one file.`,
    { details: { where: `line ${line}`, line, limit: maxHeaderBytes } },
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

/** What a file may lack, but is not wrong with it; or what is already said of its line. */
const ofItsOwn: ReadonlySet<string> = new Set([
  'HOLDFAST_MISSING_KEY',
  'HOLDFAST_TOO_LARGE',
  'HOLDFAST_UNKNOWN_FORMAT',
  'HOLDFAST_WRONG_KEY',
]);

/** Names the line of an error. Anything else that is thrown comes of a text that is no JSON, or nested without end. */
function located(line: number, error: unknown): unknown {
  if (!HoldfastError.is(error)) return corrupt(line, 'cannot be read', error);
  if ('line' in error.details || ofItsOwn.has(error.code)) return error;
  return corrupt(line, `cannot be read (${error.message})`, error);
}
