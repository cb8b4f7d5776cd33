import type { Batch, BatchResult, DoubtResult, Refusal } from '../contract/commit.ts';
import type { NewRun } from '../contract/run.ts';
import { blankHead, canForkFrom, newRow, type RowChange, refusalOf, rowChange, sameRow } from '../table/batch-row.ts';
import { hasDropped } from '../table/table-run.ts';
import { packRecords } from './row/packed-row.ts';
import type { HeadCache } from './run/head-cache.ts';
import { type HeadRow, headerOf, type KnownRun } from './run/run-row.ts';
import { changedRun } from './run/run-table.ts';
import type { Tables } from './run/tables.ts';

/** The result of a batch, and the run afterwards if it was not refused. */
export interface Committed {
  readonly result: BatchResult;
  readonly known: KnownRun | undefined;
}

/** Carries out batches in the open transaction. A refused batch writes nothing. */
export class BatchCommitter {
  readonly #tables: Tables;
  readonly #cache: HeadCache;
  #nextId = 0;

  constructor(tables: Tables, cache: HeadCache) {
    this.#tables = tables;
    this.#cache = cache;
  }

  /** Each batch is of another run. */
  commitAll(batches: readonly Batch[]): readonly Committed[] {
    this.#nextId = this.#tables.chain.nextId();
    return batches.map((batch) => this.#commit(batch));
  }

  /** Tells whether the batch was committed. If not, makes sure that it never will be. */
  resolveDoubt(batch: Batch, now: number): DoubtResult {
    const { runs, chain, voids } = this.#tables;
    const { runId, expect, token, records } = batch;
    const known = runs.find(runId);
    if (known !== undefined && chain.holding(known, expect + 1)?.token === token) return { outcome: 'committed' };
    if (records.length === 0 || (known !== undefined && hasDropped(known, expect + 1))) return { outcome: 'unknown' };
    if (known === undefined) {
      const epoch = voids.epochOf(runId) + 1;
      voids.put(runId, { epoch, at: now });
      return { outcome: 'absent', found: undefined, epoch };
    }
    const raised = runs.change(known, {}, { ...known.head, epoch: known.head.epoch + 1 });
    return { outcome: 'absent', found: headerOf(raised), epoch: raised.head.epoch };
  }

  #commit(batch: Batch): Committed {
    if (batch.create !== null) return this.#create(batch, batch.create);
    const cached = this.#cache.get(batch.runId);
    // What the cache knows of a row may be stale: only a head that is found as it is known is not.
    if (cached !== undefined && refusalOf(batch, cached) === undefined && isStep(batch, cached)) {
      const known = this.#append(batch, cached, sameRow);
      if (known !== undefined) return { result: accepted, known };
    }
    const found = this.#tables.runs.find(batch.runId);
    const why = refusalOf(batch, found);
    if (why !== undefined) return refused(why, found, found?.head.epoch ?? this.#tables.voids.epochOf(batch.runId));
    const known = found as KnownRun;
    return { result: accepted, known: this.#append(batch, known, rowChange(batch, known.row)) };
  }

  #create(batch: Batch, create: NewRun): Committed {
    const { runs, voids } = this.#tables;
    const known = runs.find(batch.runId);
    if (known !== undefined) return refused('exists', known, known.head.epoch);
    const epoch = voids.epochOf(batch.runId);
    const base = create.forkedAt === null ? undefined : runs.find(create.forkedAt.runId);
    if (create.forkedAt !== null && !this.#canForkFrom(batch, base)) return refused('base', undefined, epoch);
    if (batch.epoch !== epoch) return refused('epoch', undefined, epoch);
    if (epoch > 0) voids.remove(batch.runId);
    const row = { ...newRow(batch, create), base: base?.row.key ?? null };
    const before = { ...blankHead(batch, create), last: 0, snaps: 0, age: 0 };
    const last = batch.records.length === 0 ? 0 : this.#newId();
    const added = batch.snapshot === null ? 0 : 1;
    const head = newHead(batch, before, { createdAt: create.createdAt, last, added });
    const created = runs.create(row, head);
    this.#addParts(batch, created, { id: last, prev: 0 });
    return { result: accepted, known: created };
  }

  /** A fork of a journal run begins with a snapshot. */
  #canForkFrom(batch: Batch, base: KnownRun | undefined): boolean {
    const { forkedAt, kind } = batch.create ?? {};
    if (!forkedAt || base === undefined || !canForkFrom(batch, base)) return false;
    return kind === 'graph' || this.#tables.snapshots.standsAt(base.row, forkedAt.seq);
  }

  /** Writes the batch, if the head is the one that is known; undefined, and nothing written, if not. */
  #append(batch: Batch, known: KnownRun, change: RowChange): KnownRun | undefined {
    const { runs, snapshots } = this.#tables;
    const { row, head } = known;
    const { records, snapshot } = batch;
    const last = records.length === 0 ? head.last : this.#nextId;
    const added = snapshot === null || snapshots.find(row.key, snapshot) !== undefined ? 0 : 1;
    const changed = changedRun(known, change, newHead(batch, head, { createdAt: row.createdAt, last, added }));
    if (!runs.move(known, changed)) return undefined;
    runs.changeRow(known, changed);
    this.#addParts(batch, changed, { id: last, prev: head.last });
    if (records.length > 0) this.#nextId += 1;
    return changed;
  }

  #addParts(
    { records, ids: chosen, snapshot, token }: Batch,
    { row: { key } }: KnownRun,
    at: { id: number; prev: number },
  ): void {
    const { chain, ids, snapshots } = this.#tables;
    const [first] = records;
    if (first !== undefined) {
      const { seq, parts, text } = packRecords(records);
      chain.append({ id: at.id, run: key, seq, prev: at.prev, parts, token, text, first: first.seq });
    }
    if (chosen.length > 0) ids.add(key, chosen);
    if (snapshot !== null) snapshots.put(key, snapshot);
  }

  #newId(): number {
    const id = this.#nextId;
    this.#nextId += 1;
    return id;
  }
}

const accepted: BatchResult = { ok: true };

function refused(why: Refusal, found: KnownRun | undefined, epoch: number): Committed {
  return { result: { ok: false, why, found: found && headerOf(found), epoch }, known: undefined };
}

/** Whether only the head changes, as with most batches: the row is as it was, and so is what the run is found by. */
function isStep(batch: Batch, { row, head }: KnownRun): boolean {
  const { frontier } = batch.header;
  const isFoundBySame = row.worker !== null || frontier === undefined || JSON.stringify(frontier) === head.frontier;
  return isFoundBySame && rowChange(batch, row) === sameRow;
}

interface HeadParts {
  readonly createdAt: number;
  readonly last: number;
  /** How many snapshots more. */
  readonly added: number;
}

function newHead(batch: Batch, head: HeadRow, { createdAt, last, added }: HeadParts): HeadRow {
  const { superstep: step, frontier } = batch.header;
  return {
    seq: head.seq + batch.records.length,
    last,
    fence: head.fence,
    epoch: head.epoch,
    claims: batch.fence === null ? head.claims : 0,
    step: step ?? head.step,
    snaps: head.snaps + added,
    age: batch.at - createdAt,
    frontier: frontier === undefined ? head.frontier : JSON.stringify(frontier),
  };
}
