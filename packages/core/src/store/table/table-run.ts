/** What SQLite and Postgres keep of a run in the same columns. */
import { isCount } from '../../value/data-shape.ts';
import type { RunsQuery } from '../contract/read.ts';
import type { LeaseRefusal, RunHeader, RunStatus, WaitHead } from '../contract/run.ts';
import { isFrontier, isRunHeader, isTags, isWaits } from '../stored-header.ts';
import { storedJson } from '../stored-json.ts';
import { corrupt } from './corrupt.ts';

/** A run's row: what is asked for and seldom changes. */
export interface TableRow {
  readonly run: string;
  readonly createdAt: number;
  /** 0: a graph run, 1: a journal run. */
  readonly kind: number;
  readonly graph: string;
  readonly version: number;
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
}

/** A run's head: what changes with every commit. */
export interface TableHead {
  readonly seq: number;
  readonly fence: number;
  readonly epoch: number;
  readonly claims: number;
  readonly step: number;
  readonly frontier: string;
}

/** Both rows of a run. */
export interface TableRun {
  readonly row: TableRow;
  readonly head: TableHead;
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

export function isHidden({ state }: Pick<TableRow, 'state'>): boolean {
  return (state & hiddenBit) !== 0;
}

export function isDraft({ state }: Pick<TableRow, 'state'>): boolean {
  return (state & draftBit) !== 0;
}

/** The seq that the first kept record has, or would have. */
export function firstSeq({ floor, baseSeq }: Pick<TableRow, 'floor' | 'baseSeq'>): number {
  return Math.max(floor, baseSeq ?? 0) + 1;
}

/** The seq of the last kept record; below `firstSeq` where none is kept. */
export function lastSeq({ row, head }: TableRun): number {
  return row.top ?? head.seq;
}

/** Whether the record with this seq was trimmed: nobody can tell any more what it was. */
export function hasDropped(known: TableRun, seq: number): boolean {
  return seq <= known.row.floor || (seq > lastSeq(known) && seq <= known.head.seq);
}

interface HeaderParts extends TableRun {
  readonly updatedAt: number;
  readonly refusals: readonly LeaseRefusal[];
}

/** The header that the contract speaks of. @throws HOLDFAST_CORRUPT */
export function headerFrom({ row, head, updatedAt, refusals }: HeaderParts): RunHeader {
  const header = {
    runId: row.run,
    kind: row.kind === 0 ? 'graph' : 'journal',
    graph: row.graph,
    version: row.version,
    forkedAt: row.baseRun === null ? null : { runId: row.baseRun, seq: row.baseSeq },
    parentId: row.parent,
    createdAt: row.createdAt,
    worker: row.worker,
    status: statuses[row.state & statusBits],
    superstep: head.step,
    frontier: frontierOf(row, head),
    waits: waitsOf(row),
    wakeAt: row.wakeAt,
    tags: tagsOf(row),
    head: head.seq,
    floor: row.floor,
    updatedAt,
    fence: head.fence,
    epoch: head.epoch,
    claims: head.claims,
    hidden: isHidden(row),
    ...(isDraft(row) && { draft: true }),
    refusals,
  };
  // Whoever can write to the store can compute checksums.
  const isCut = row.top !== null && (!header.hidden || !isCount(row.top));
  if (isCut || !isRunHeader(header))
    throw corrupt({ table: 'runs', runId: row.run }, 'it has values that no run can have');
  return header;
}

/** The run's tags. @throws HOLDFAST_CORRUPT */
export function tagsOf({ run: runId, tags }: Pick<TableRow, 'run' | 'tags'>): Readonly<Record<string, string>> {
  if (tags === null) return {};
  const found = storedJson(tags, isTags) as Readonly<Record<string, string>> | undefined;
  if (found === undefined) throw corrupt({ table: 'runs', runId }, 'its tags are invalid');
  return found;
}

/** The run's open waits. @throws HOLDFAST_CORRUPT */
export function waitsOf({ run: runId, waits }: Pick<TableRow, 'run' | 'waits'>): readonly WaitHead[] {
  if (waits === null) return [];
  const found = storedJson(waits, isWaits) as readonly WaitHead[] | undefined;
  if (found === undefined) throw corrupt({ table: 'runs', runId }, 'its waits are invalid');
  return found;
}

/** The nodes that the run is at. @throws HOLDFAST_CORRUPT */
export function frontierOf(
  { run: runId }: Pick<TableRow, 'run'>,
  { frontier }: Pick<TableHead, 'frontier'>,
): readonly string[] {
  const found = storedJson(frontier, isFrontier) as readonly string[] | undefined;
  if (found === undefined) throw corrupt({ table: 'heads', runId }, 'its frontier is not a list of nodes');
  return found;
}
