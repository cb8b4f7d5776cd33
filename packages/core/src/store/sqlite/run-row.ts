import type { RunHeader, WaitHead } from '../contract/run.ts';
import { corrupt } from './corrupt.ts';
import type { SqliteValue } from './database.ts';
import type { NameTable } from './name-table.ts';
import { parkedAt } from './parked-at.ts';
import { addToSum, emptySum } from './row-sum.ts';
import { draftBit, isHidden, statusOf } from './run-state.ts';

/** A run's row: what is asked for and seldom changes. Names stand for the keys that are stored. */
export interface RunRow {
  readonly key: number;
  readonly run: string;
  readonly createdAt: number;
  readonly loop: number;
  readonly graph: string;
  readonly version: number;
  readonly base: number | null;
  readonly baseRun: string | null;
  readonly baseSeq: number | null;
  readonly parent: string | null;
  readonly state: number;
  /** The frontier it is found by: see `parkedAt`. */
  readonly parked: string | null;
  readonly wakeAt: number | null;
  readonly worker: string | null;
  readonly kinds: number | null;
  readonly waits: string | null;
  readonly tags: string | null;
  readonly floor: number;
  /** The last seq that a hidden run has kept. */
  readonly top: number | null;
}

/** A run's head: what changes with every commit. */
export interface HeadRow {
  readonly seq: number;
  /** The run's last row of records; 0 where it has none. */
  readonly last: number;
  readonly fence: number;
  readonly claims: number;
  readonly step: number;
  /** How many snapshots it has, so that a lost one is missed. */
  readonly snaps: number;
  /** From the run's creation to its last batch: takes less room than a time. */
  readonly age: number;
  readonly token: string;
  readonly frontier: string;
}

/** Both rows of a run. */
export interface KnownRun {
  readonly row: RunRow;
  readonly head: HeadRow;
  /** The checksum of the head: what a commit has to find there. */
  readonly headSum: number;
}

/** The texts that keys in a run's row stand for. */
export interface RunNames {
  readonly graphs: NameTable;
  readonly frontiers: NameTable;
}

/** The columns of both rows, from `runs r` with `runJoins`; `readRun` takes them in this order. */
export const runColumns = `r.key, r.run, r.createdAt, r.loop, r.graph, r.version, r.base, b.run AS baseRun,
  r.baseSeq, r.parent, r.state, r.wakeAt, r.worker, r.kinds, r.waits, r.tags, r.floor, r.top, r.sum,
  h.seq, h.last, h.fence, h.claims, h.step, h.snaps, h.age, h.token, h.frontier, h.sum AS headSum,
  r.parked`;

/** Outer joins, so that what is missing is seen and not left out. */
export const runJoins = `LEFT JOIN heads h ON h.run = r.key LEFT JOIN runs b ON b.key = r.base`;

/**
 * The checksum of a run's row; of what its keys stand for, so that it covers the rows they lead to as well. Its own key
 * is left out: with another one it has no head. So is where it is parked: that follows from the rest and the head.
 */
export function sumOfRow(row: Omit<RunRow, 'key'>): number {
  const { run: runId, createdAt, loop, graph, version, base, baseRun, baseSeq, parent: parentId } = row;
  const { state, wakeAt, worker, kinds, waits, tags, floor, top } = row;
  const fixed = [runId, createdAt, loop, graph, version, base, baseRun, baseSeq, parentId];
  return [...fixed, state, wakeAt, worker, kinds, waits, tags, floor, top].reduce<number>(addToSum, emptySum);
}

/**
 * The checksum of a run's head, of which run it is, and of whether a worker holds it: whoever finds the head as he knows
 * it knows that too. Without an array: this is done with every commit.
 */
export function sumOfHead({ key, run: runId, worker }: Pick<RunRow, 'key' | 'run' | 'worker'>, head: HeadRow): number {
  let sum = addToSum(addToSum(emptySum, key), runId);
  sum = addToSum(sum, worker === null ? 0 : 1);
  sum = addToSum(sum, head.seq);
  sum = addToSum(sum, head.last);
  sum = addToSum(sum, head.fence);
  sum = addToSum(sum, head.claims);
  sum = addToSum(sum, head.step);
  sum = addToSum(sum, head.snaps);
  sum = addToSum(sum, head.age);
  sum = addToSum(sum, head.token);
  return addToSum(sum, head.frontier);
}

/** Both rows of a run, from the columns of `runColumns`, checked. @throws HOLDFAST_CORRUPT */
export function readRun(columns: readonly SqliteValue[], names: RunNames): KnownRun {
  const row = rowOf(columns, names);
  const { run: runId } = row;
  if (sumOfRow(row) !== columns[18]) throw corrupt({ table: 'runs', runId }, 'its checksum does not match');
  if (columns[19] === null) throw corrupt({ table: 'heads', runId }, 'it is missing');
  const head = headRowOf(columns);
  if (sumOfHead(row, head) !== columns[28]) throw corrupt({ table: 'heads', runId }, 'its checksum does not match');
  if (parkedAt(row, head.frontier) !== row.parked) {
    throw corrupt({ table: 'runs', runId }, 'a search by node would not find it where it is');
  }
  return { row, head, headSum: columns[28] };
}

/** By place, not by destructuring: iterating over the columns took most of the time that reading a run took. */
function rowOf(columns: readonly SqliteValue[], { graphs, frontiers }: RunNames): RunRow {
  return {
    key: columns[0],
    run: columns[1],
    createdAt: columns[2],
    loop: columns[3],
    graph: graphs.nameOf(columns[4] as number) ?? null,
    version: columns[5],
    base: columns[6],
    baseRun: columns[7],
    baseSeq: columns[8],
    parent: columns[9],
    state: columns[10],
    parked: columns[29] === null ? null : frontiers.nameOf(columns[29] as number),
    wakeAt: columns[11],
    worker: columns[12],
    kinds: columns[13],
    waits: columns[14],
    tags: columns[15],
    floor: columns[16],
    top: columns[17],
  } as RunRow;
}

/**
 * The same row as an object like all others. One that was put together by spreading is kept as a dictionary of its own:
 * every commit of its run would look its members up by name, one after another.
 */
export function likeOthers(row: RunRow): RunRow {
  return {
    key: row.key,
    run: row.run,
    createdAt: row.createdAt,
    loop: row.loop,
    graph: row.graph,
    version: row.version,
    base: row.base,
    baseRun: row.baseRun,
    baseSeq: row.baseSeq,
    parent: row.parent,
    state: row.state,
    parked: row.parked,
    wakeAt: row.wakeAt,
    worker: row.worker,
    kinds: row.kinds,
    waits: row.waits,
    tags: row.tags,
    floor: row.floor,
    top: row.top,
  };
}

function headRowOf(columns: readonly SqliteValue[]): HeadRow {
  return {
    seq: columns[19],
    last: columns[20],
    fence: columns[21],
    claims: columns[22],
    step: columns[23],
    snaps: columns[24],
    age: columns[25],
    token: columns[26],
    frontier: columns[27],
  } as HeadRow;
}

/** The seq that the first kept record has, or would have. */
export function firstSeq({ floor, baseSeq }: RunRow): number {
  return Math.max(floor, baseSeq ?? 0) + 1;
}

/** The seq of the last kept record; below `firstSeq` where none is kept. */
export function lastSeq({ row, head }: KnownRun): number {
  return row.top ?? head.seq;
}

/** The header that the contract speaks of. */
export function headerOf({ row, head }: KnownRun): RunHeader {
  return {
    runId: row.run,
    kind: row.loop === 0 ? 'graph' : 'journal',
    graph: row.graph,
    version: row.version,
    forkedAt: row.baseRun === null ? null : { runId: row.baseRun, seq: row.baseSeq as number },
    parentId: row.parent,
    createdAt: row.createdAt,
    worker: row.worker,
    status: statusOf(row.state),
    superstep: head.step,
    frontier: JSON.parse(head.frontier) as string[],
    waits: row.waits === null ? [] : (JSON.parse(row.waits) as WaitHead[]),
    wakeAt: row.wakeAt,
    tags: tagsOf(row),
    head: head.seq,
    floor: row.floor,
    updatedAt: row.createdAt + head.age,
    fence: head.fence,
    claims: head.claims,
    hidden: isHidden(row.state),
    ...((row.state & draftBit) !== 0 && { draft: true as const }),
    token: head.token,
  };
}

/** The run's tags. */
export function tagsOf({ tags }: RunRow): Readonly<Record<string, string>> {
  return tags === null ? {} : (JSON.parse(tags) as Record<string, string>);
}
