import { isCount, isTime } from '../../../value/data-shape.ts';
import { addToSum, emptySum } from '../../../value/hash/row-sum.ts';
import type { LeaseRefusal, RunHeader } from '../../contract/run.ts';
import { corrupt } from '../../table/corrupt.ts';
import { headerFrom, type TableHead, type TableRow } from '../../table/table-run.ts';
import type { SqliteValue } from '../connection/database.ts';

/** A run's row. What is stored of the graph is the key of its name. */
export interface RunRow extends TableRow {
  readonly key: number;
  readonly base: number | null;
}

/** A run's head. */
export interface HeadRow extends TableHead {
  /** The last row of its chain; 0 where it has none. */
  readonly last: number;
  /** How many snapshots it has, so that a lost one is missed. */
  readonly snaps: number;
  /** From the run's creation to its last batch: takes less room than a time. */
  readonly age: number;
}

/** Both rows of a run. */
export interface KnownRun {
  readonly row: RunRow;
  readonly head: HeadRow;
  /** The checksum of the head: what a commit has to find there. */
  readonly headSum: number;
  /** The refusals at its head, as JSON; null for almost every run. */
  readonly refusals: string | null;
}

/** A removed run, some rows of which wait to be dropped: no list has it. */
export const removedState = 32;
/** No id begins like this: a removed run keeps its rows under such a name until they are gone. */
export const removedMark = '~';

/** The columns of both rows, from `runs r` with `runJoins`; `readRun` reads them in this order. */
export const runColumns = `r.key, r.run, r.createdAt, r.kind, g.name AS graph, r.version, r.base, b.run AS baseRun,
  r.baseSeq, r.parent, r.state, r.early, r.wakeAt, r.worker, r.waits, r.tags, r.floor, r.top, r.sum,
  h.seq, h.last, h.fence, h.epoch, h.claims, h.step, h.snaps, h.age, h.frontier, h.sum AS headSum,
  CASE WHEN EXISTS (SELECT 1 FROM refusals WHERE run = r.key) THEN
    (SELECT json_group_array(json_array(worker, code, message, at, sum)) FROM refusals
      WHERE run = r.key AND head = h.seq) END AS refusals`;

/** Outer joins, so that what is missing is seen and not left out. */
export const runJoins =
  'LEFT JOIN graphs g ON g.key = r.graph LEFT JOIN heads h ON h.run = r.key LEFT JOIN runs b ON b.key = r.base';

/**
 * The checksum of a run's row; of what its keys stand for, so that it covers the rows they lead to as well. Its own key
 * is left out: with another one it has no head.
 */
export function sumOfRow(row: Omit<RunRow, 'key'>): number {
  const { run: runId, createdAt, kind, graph, version, base, baseRun, baseSeq, parent: parentId } = row;
  const { state, early, wakeAt, worker, waits, tags, floor, top } = row;
  const fixed = [runId, createdAt, kind, graph, version, base, baseRun, baseSeq, parentId];
  return [...fixed, state, early, wakeAt, worker, waits, tags, floor, top].reduce<number>(addToSum, emptySum);
}

/**
 * The checksum of a run's head, of which run it is, and of whether a worker leases it: a writer that finds the head as it
 * knows it knows that too. Without an array: this is done with every commit.
 */
export function sumOfHead({ key, run: runId, worker }: Pick<RunRow, 'key' | 'run' | 'worker'>, head: HeadRow): number {
  let sum = addToSum(addToSum(emptySum, key), runId);
  sum = addToSum(sum, worker === null ? 0 : 1);
  sum = addToSum(sum, head.seq);
  sum = addToSum(sum, head.last);
  sum = addToSum(sum, head.fence);
  sum = addToSum(sum, head.epoch);
  sum = addToSum(sum, head.claims);
  sum = addToSum(sum, head.step);
  sum = addToSum(sum, head.snaps);
  sum = addToSum(sum, head.age);
  return addToSum(sum, head.frontier);
}

/** Both rows of a run, from the columns of `runColumns`, checked. @throws HOLDFAST_CORRUPT */
export function readRun(columns: readonly SqliteValue[]): KnownRun {
  const row = rowOf(columns);
  const { run: runId } = row;
  if (sumOfRow(row) !== columns[18]) throw corrupt({ table: 'runs', runId }, 'its checksum does not match');
  if (columns[19] === null) throw corrupt({ table: 'heads', runId }, 'it is missing');
  const head = headRowOf(columns);
  const { seq, last, fence, epoch, claims, step, snaps, age } = head;
  // Checksums are easy to compute, and what is added to these has to be a number.
  if (![seq, last, fence, epoch, claims, step, snaps, row.floor, row.state].every(isCount) || !isTime(age))
    throw corrupt({ table: 'heads', runId }, 'it has values that no run can have');
  const headSum = columns[28] as number;
  if (sumOfHead(row, head) !== headSum) throw corrupt({ table: 'heads', runId }, 'its checksum does not match');
  return { row, head, headSum, refusals: columns[29] as string | null };
}

/** By place, not by destructuring: iterating over the columns took most of the time that reading a run took. */
function rowOf(columns: readonly SqliteValue[]): RunRow {
  return {
    key: columns[0],
    run: columns[1],
    createdAt: columns[2],
    kind: columns[3],
    graph: columns[4],
    version: columns[5],
    base: columns[6],
    baseRun: columns[7],
    baseSeq: columns[8],
    parent: columns[9],
    state: columns[10],
    early: columns[11],
    wakeAt: columns[12],
    worker: columns[13],
    waits: columns[14],
    tags: columns[15],
    floor: columns[16],
    top: columns[17],
  } as RunRow;
}

function headRowOf(columns: readonly SqliteValue[]): HeadRow {
  return {
    seq: columns[19],
    last: columns[20],
    fence: columns[21],
    epoch: columns[22],
    claims: columns[23],
    step: columns[24],
    snaps: columns[25],
    age: columns[26],
    frontier: columns[27],
  } as HeadRow;
}

/** The header that the contract speaks of. @throws HOLDFAST_CORRUPT */
export function headerOf({ row, head, refusals }: KnownRun): RunHeader {
  const refusedBy = refusals === null ? [] : refusalsOf(row, head, refusals);
  return headerFrom({ row, head, updatedAt: row.createdAt + head.age, refusals: refusedBy });
}

type RefusalColumns = readonly [worker: string, code: string, message: string, at: number, sum: number];

function refusalsOf({ key, run: runId }: RunRow, { seq }: HeadRow, json: string): readonly LeaseRefusal[] {
  return (JSON.parse(json) as RefusalColumns[]).map(([worker, code, message, at, sum]) => {
    const refusal = { worker, code, message, at };
    if (sumOfRefusal(key, seq, refusal) === sum) return refusal;
    throw corrupt({ table: 'refusals', runId }, 'its checksum does not match');
  });
}

/** The checksum of a refusal of a run at a head. */
export function sumOfRefusal(key: number, head: number, { worker, code, message, at }: LeaseRefusal): number {
  return [key, head, worker, code, message, at].reduce<number>(addToSum, emptySum);
}
