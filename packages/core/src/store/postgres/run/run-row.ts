import { isPlainObject } from '../../../value/codec/plain-object.ts';
import { isCount } from '../../../value/data-shape.ts';
import { addToSum, emptySum } from '../../../value/hash/row-sum.ts';
import type { LeaseRefusal, RunHeader } from '../../contract/run.ts';
import { storedJson } from '../../stored-json.ts';
import { corrupt } from '../../table/corrupt.ts';
import { headerFrom, type TableHead, type TableRow } from '../../table/table-run.ts';

/** A run's row. */
export interface RunRow extends TableRow {
  /** 63 bits of time and chance, in digits. */
  readonly key: string;
  readonly base: string | null;
  /** How often it was trimmed: a fork names it, so that what it stands on is still there. */
  readonly trims: number;
  /** The epoch that it was created with; of a void row, the one to create it with. */
  readonly birth: number;
}

/** A run's head. */
export interface HeadRow extends TableHead {
  readonly updatedAt: number;
  /** Grows with every change of the run: a writer that names it knows all of the run. */
  readonly rev: number;
}

/** Both rows of a run. */
export interface KnownRun {
  readonly row: RunRow;
  readonly head: HeadRow;
  readonly refusals: readonly LeaseRefusal[];
}

/** No run, but the epoch of one that does not exist: its creation was in doubt, or it was removed. No list has it. */
export const voidState = 64;

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

/** The header that the contract speaks of. @throws HOLDFAST_CORRUPT */
export function headerOf({ row, head, refusals }: KnownRun): RunHeader {
  return headerFrom({ row, head, updatedAt: head.updatedAt, refusals });
}
