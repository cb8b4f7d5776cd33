import { isPlainObject } from '../../../value/codec/plain-object.ts';
import { isCount } from '../../../value/data-shape.ts';
import { addToSum, emptySum } from '../../../value/hash/row-sum.ts';
import type { RunsQuery } from '../../contract/read.ts';
import type { LeaseRefusal, RunHeader, RunStatus, WaitHead } from '../../contract/run.ts';
import { isFrontier, isRunHeader, isTags, isWaits } from '../../stored-header.ts';
import { storedJson } from '../../stored-json.ts';
import { corrupt } from '../errors.ts';

/** A run's row: what is asked for and seldom changes. */
export interface RunRow {
  /** 63 bits of time and chance, in digits. */
  readonly key: string;
  readonly run: string;
  readonly createdAt: number;
  /** 0: a graph run, 1: a journal run. */
  readonly kind: number;
  readonly graph: string;
  readonly version: number;
  readonly base: string | null;
  readonly baseRun: string | null;
  readonly baseSeq: number | null;
  readonly parent: string | null;
  /** The status, and bits. */
  readonly state: number;
  /** 1: a clock that was set back gave it a change before its creation, so that a search by age cannot skip it. */
  readonly early: number;
  readonly wakeAt: number | null;
  readonly worker: string | null;
  readonly waits: string | null;
  readonly tags: string | null;
  readonly floor: number;
  /** The last seq that a hidden run keeps. */
  readonly top: number | null;
  /** How often it was trimmed: a fork names it, so that what it stands on is still there. */
  readonly trims: number;
  /** The epoch that it was created with; of a void row, the one to create it with. */
  readonly birth: number;
}

/** A run's head: what changes with every commit. */
export interface HeadRow {
  readonly seq: number;
  readonly fence: number;
  readonly epoch: number;
  readonly claims: number;
  readonly step: number;
  readonly updatedAt: number;
  /** Grows with every change of the run: a writer that names it knows all of the run. */
  readonly rev: number;
  readonly frontier: string;
}

/** Both rows of a run. */
export interface KnownRun {
  readonly row: RunRow;
  readonly head: HeadRow;
  readonly refusals: readonly LeaseRefusal[];
}

/** In the order of their numbers, which never change. */
const statuses: readonly RunStatus[] = [
  'pending',
  'running',
  'waiting',
  'completed',
  'failed',
  'cancelled',
  'suspended',
];
const statusBits = 7;
/** Hidden; the index of due runs names the bit. */
export const hiddenBit = 8;
/** A copy that is not complete yet. */
export const draftBit = 16;
/** No run, but the epoch of one whose creation was in doubt. No list has it. */
export const voidState = 64;

/** The number of a status. */
export function encodeStatus(status: RunStatus): number {
  return statuses.indexOf(status);
}

/** The same state with another status. */
export function withStatus(state: number, status: RunStatus): number {
  return (state & ~statusBits) | encodeStatus(status);
}

/** The states that the runs of a query can have. */
export function statesOf({ status = statuses, hidden = false }: Pick<RunsQuery, 'status' | 'hidden'>): number[] {
  const numbers = status.map(encodeStatus);
  if (!hidden) return numbers;
  return numbers.flatMap((number) => [number | hiddenBit, number | hiddenBit | draftBit]);
}

export function isHidden({ state }: Pick<RunRow, 'state'>): boolean {
  return (state & hiddenBit) !== 0;
}

export function isDraft({ state }: Pick<RunRow, 'state'>): boolean {
  return (state & draftBit) !== 0;
}

/** Both rows as JSON, from `runs r` with `runJoin`; `readRun` reads it in this order. */
export const runJson = `json_build_array(r.key::text, r.run, r.created_at, r.kind, r.graph, r.version, r.base::text,
  r.base_run, r.base_seq, r.parent, r.state, r.early, r.wake_at, r.worker, r.waits, r.tags, r.floor, r.top, r.trims,
  r.birth, r.sum, h.seq, h.fence, h.epoch, h.claims, h.step, h.updated_at, h.rev, h.frontier, h.sum,
  (SELECT json_agg(json_build_array(f.worker, f.reason, f.at, f.sum) ORDER BY f.at, f.worker) FROM @refusals f
    WHERE f.key = r.key AND f.head = h.seq))::text`;

/** An outer join, so that a missing head is seen. */
export const runJoin = 'LEFT JOIN @heads h ON h.key = r.key';

type Cell = number | string | null;
type RefusalCells = readonly [worker: string, reason: string, at: number, sum: number];

function sumOf(values: readonly Cell[]): number {
  return values.reduce<number>(addToSum, emptySum);
}

/** The checksum of a run's row. */
export function sumOfRow(row: RunRow): number {
  return sumOf(cellsOf(row));
}

/** The values of a run's row, in the order of its columns. */
export function cellsOf(row: RunRow): readonly Cell[] {
  const { key, run, createdAt, kind, graph, version, base, baseRun, baseSeq, parent } = row;
  const { state, early, wakeAt, worker, waits, tags, floor, top, trims, birth } = row;
  const fixed = [key, run, createdAt, kind, graph, version, base, baseRun, baseSeq, parent];
  return [...fixed, state, early, wakeAt, worker, waits, tags, floor, top, trims, birth];
}

/** The checksum of a run's head, and of which run it is. */
export function sumOfHead(key: string, head: HeadRow): number {
  const { seq, fence, epoch, claims, step, updatedAt, rev, frontier } = head;
  return sumOf([key, seq, fence, epoch, claims, step, updatedAt, rev, frontier]);
}

/** The checksum of a refusal of a run at a head. */
export function sumOfRefusal(key: string, head: number, [worker, reason, at]: readonly Cell[]): number {
  return sumOf([key, head, worker as Cell, reason as Cell, at as Cell]);
}

/** Both rows of a run, checked. @throws HOLDFAST_CORRUPT */
export function readRun(json: unknown): KnownRun {
  const cells = JSON.parse(json as string) as readonly unknown[];
  const row = rowOf(cells);
  const { key, run: runId } = row;
  if (sumOfRow(row) !== cells[20]) throw corrupt({ table: 'runs', runId }, 'its checksum does not match');
  if (row.state === voidState) return { row, head: noHead, refusals: [] };
  if (cells[21] === null) throw corrupt({ table: 'heads', runId }, 'it is missing');
  const head = headOf(cells);
  if (sumOfHead(key, head) !== cells[29]) throw corrupt({ table: 'heads', runId }, 'its checksum does not match');
  const { seq, fence, epoch, claims, step, rev } = head;
  // Checksums are easy to compute, and a number that is too large for JavaScript is never found again.
  if (![seq, fence, epoch, claims, step, rev, row.floor, row.trims, row.birth].every(isCount))
    throw corrupt({ table: 'heads', runId }, 'it has values that no run can have');
  const refusals = ((cells[30] ?? []) as readonly RefusalCells[]).map((refusal) => refusalOf(row, head, refusal));
  return { row, head, refusals };
}

const noHead: HeadRow = { seq: 0, fence: 0, epoch: 0, claims: 0, step: 0, updatedAt: 0, rev: 0, frontier: '[]' };

function rowOf(cells: readonly unknown[]): RunRow {
  const [key, run, createdAt, kind, graph, version, base, baseRun, baseSeq, parent] = cells;
  const [state, early, wakeAt, worker, waits, tags, floor, top, trims, birth] = cells.slice(10);
  const fixed = { key, run, createdAt, kind, graph, version, base, baseRun, baseSeq, parent };
  return { ...fixed, state, early, wakeAt, worker, waits, tags, floor, top, trims, birth } as RunRow;
}

function headOf(cells: readonly unknown[]): HeadRow {
  const [seq, fence, epoch, claims, step, updatedAt, rev, frontier] = cells.slice(21);
  return { seq, fence, epoch, claims, step, updatedAt, rev, frontier } as HeadRow;
}

function refusalOf({ key, run: runId }: RunRow, { seq }: HeadRow, cells: RefusalCells): LeaseRefusal {
  const [worker, reason, at, sum] = cells;
  if (sumOfRefusal(key, seq, cells) !== sum) throw corrupt({ table: 'refusals', runId }, 'its checksum does not match');
  const said = storedJson(reason, isPlainObject) as Pick<LeaseRefusal, 'code' | 'message'> | undefined;
  if (said === undefined) throw corrupt({ table: 'refusals', runId }, 'it gives no reason');
  const { code, message } = said;
  return { worker, code, message, at };
}

/** The seq that the first kept record has, or would have. */
export function firstSeq({ floor, baseSeq }: Pick<RunRow, 'floor' | 'baseSeq'>): number {
  return Math.max(floor, baseSeq ?? 0) + 1;
}

/** The seq of the last kept record; below `firstSeq` where none is kept. */
export function lastSeq({ row, head }: Pick<KnownRun, 'row' | 'head'>): number {
  return row.top ?? head.seq;
}

/** Whether the record with this seq was trimmed: nobody knows any more what it was. */
export function hasDropped(known: KnownRun, seq: number): boolean {
  return seq <= known.row.floor || (seq > lastSeq(known) && seq <= known.head.seq);
}

/** The header that the contract speaks of. @throws HOLDFAST_CORRUPT */
export function headerOf({ row, head, refusals }: KnownRun): RunHeader {
  const header = {
    runId: row.run,
    kind: row.kind === 0 ? 'graph' : 'journal',
    graph: row.graph,
    version: row.version,
    forkedAt: row.baseRun === null ? null : { runId: row.baseRun, seq: row.baseSeq as number },
    parentId: row.parent,
    createdAt: row.createdAt,
    worker: row.worker,
    status: statuses[row.state & statusBits] as RunStatus,
    superstep: head.step,
    frontier: frontierOf(row, head),
    waits: waitsOf(row),
    wakeAt: row.wakeAt,
    tags: tagsOf(row),
    head: head.seq,
    floor: row.floor,
    updatedAt: head.updatedAt,
    fence: head.fence,
    epoch: head.epoch,
    claims: head.claims,
    hidden: isHidden(row),
    ...(isDraft(row) && { draft: true as const }),
    refusals,
  };
  // Whoever can write to the store can compute checksums.
  const isCut = row.top !== null && (!header.hidden || !isCount(row.top));
  if (isCut || !isRunHeader(header))
    throw corrupt({ table: 'runs', runId: row.run }, 'it has values that no run can have');
  return header;
}

/** The run's tags. @throws HOLDFAST_CORRUPT */
export function tagsOf({ run: runId, tags }: Pick<RunRow, 'run' | 'tags'>): Readonly<Record<string, string>> {
  if (tags === null) return {};
  const found = storedJson(tags, isTags) as Readonly<Record<string, string>> | undefined;
  if (found === undefined) throw corrupt({ table: 'runs', runId }, 'its tags are invalid');
  return found;
}

/** The run's open waits. @throws HOLDFAST_CORRUPT */
export function waitsOf({ run: runId, waits }: Pick<RunRow, 'run' | 'waits'>): readonly WaitHead[] {
  if (waits === null) return [];
  const found = storedJson(waits, isWaits) as readonly WaitHead[] | undefined;
  if (found === undefined) throw corrupt({ table: 'runs', runId }, 'its waits are invalid');
  return found;
}

/** The nodes that the run is at. @throws HOLDFAST_CORRUPT */
export function frontierOf(
  { run: runId }: Pick<RunRow, 'run'>,
  { frontier }: Pick<HeadRow, 'frontier'>,
): readonly string[] {
  const found = storedJson(frontier, isFrontier) as readonly string[] | undefined;
  if (found === undefined) throw corrupt({ table: 'heads', runId }, 'its frontier is not a list of nodes');
  return found;
}
