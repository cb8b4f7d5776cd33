import type { Batch, BatchResult, CopyPart, HeaderState, NewRun, Refusal, StoredRecord } from '../contract.ts';
import type { HeadCache } from './head-cache.ts';
import { packRecords } from './packed-row.ts';
import { parkedAt } from './parked-at.ts';
import type { Appending } from './row-chain.ts';
import {
  firstSeq,
  type HeadRow,
  headerOf,
  type KnownRun,
  lastSeq,
  likeOthers,
  type RunRow,
  sumOfHead,
} from './run-row.ts';
import { draftBit, earlyBit, encodeStatus, hiddenBit, idleBit, isHidden, withStatus } from './run-state.ts';
import type { RunChange } from './run-table.ts';
import type { Tables } from './tables.ts';
import { together } from './together.ts';
import { encodeKinds } from './wait-kinds.ts';

/** What became of a batch, and how the run is afterwards, where it was not refused. */
export interface Committed {
  readonly result: BatchResult;
  readonly known: KnownRun | undefined;
}

interface Step extends Appending {
  readonly batch: Batch;
  /** Which of the batches it is. */
  readonly at: number;
}

/** Carries out batches in the transaction that is open; one that it refuses writes nothing. */
export class BatchCommitter {
  readonly #tables: Tables;
  readonly #cache: HeadCache;

  constructor(tables: Tables, cache: HeadCache) {
    this.#tables = tables;
    this.#cache = cache;
  }

  /** Each batch is of another run. */
  commitAll(batches: readonly Batch[]): readonly Committed[] {
    if (batches.length < together) return batches.map((batch) => this.#commit(batch));
    const committed: Committed[] = [];
    let steps: Step[] = [];
    for (let at = 0; at < batches.length; at += 1) {
      const step = this.#stepOf(batches[at] as Batch, at);
      if (step === undefined) continue;
      steps.push(step);
      if (steps.length < together) continue;
      this.#appendAll(steps, committed);
      steps = [];
    }
    return batches.map((batch, at) => committed[at] ?? this.#commit(batch));
  }

  /** Writes a step without a transaction around it; undefined, and nothing written, where it takes more than a statement. */
  commitLone(batch: Batch): Committed | undefined {
    const { lone } = this.#tables;
    const step = this.#stepOf(batch, 0);
    const last = step && lone.idFor(step.known);
    if (step === undefined || last === undefined) return undefined;
    const { row, head } = step.known;
    const known = changedRun(row, newHead(batch, head, { row, last, added: 0 }));
    return lone.write(step, known) ? { result: accepted, known } : undefined;
  }

  #commit(batch: Batch): Committed {
    if (batch.create !== null) return this.#create(batch, batch.create);
    const cached = this.#cache.get(batch.runId);
    if (cached !== undefined && refusalOf(batch, cached) === undefined) {
      const known = this.#append(batch, cached);
      if (known !== undefined) return { result: accepted, known };
    }
    const found = this.#tables.runs.find(batch.runId);
    const why = refusalOf(batch, found);
    if (why !== undefined) return refused(why, found);
    return { result: accepted, known: this.#append(batch, found as KnownRun) };
  }

  #create(batch: Batch, create: NewRun): Committed {
    const { runs, chain } = this.#tables;
    if (runs.exists(batch.runId)) return refused('exists', runs.find(batch.runId));
    const base = create.forkedAt === null ? undefined : runs.find(create.forkedAt.runId);
    if (create.forkedAt !== null && !this.#canStandOn(batch, base)) return refused('base', undefined);
    const row = newRow(batch, create, base?.row.key ?? null);
    const key = runs.create(row);
    const blank = blankHead(batch, create);
    const last = batch.records.length === 0 ? 0 : chain.begin(key, blank.seq, packRecords(batch.records));
    const head = newHead(batch, blank, { row, last, added: this.#addOthers(batch, key) });
    const known = likeOthers({ ...row, key });
    return { result: accepted, known: { row: known, head, headSum: runs.createHead(known, head) } };
  }

  #canStandOn({ create, copy }: Batch, found: KnownRun | undefined): boolean {
    const { forkedAt, kind } = create as NewRun;
    if (forkedAt === null || found === undefined || (isHidden(found.row.state) && copy === undefined)) return false;
    const { row } = found;
    if (forkedAt.seq < firstSeq(row) - 1 || forkedAt.seq > lastSeq(found) || forkedAt.seq <= (row.baseSeq ?? 0))
      return false;
    return kind === 'graph' || this.#tables.snapshots.standsAt(row.key, forkedAt.seq);
  }

  /** Writes the batch, if the head is the one that is known; undefined, and nothing written, if not. */
  #append(batch: Batch, known: KnownRun): KnownRun | undefined {
    const { row, head } = known;
    const { chain, runs } = this.#tables;
    const last = batch.records.length === 0 ? chain.lastAt(known) : chain.append(known, packRecords(batch.records));
    if (last === undefined) return undefined;
    const changed = newHead(batch, head, { row, last, added: this.#addOthers(batch, row.key) });
    const change = rowChange(batch, row, changed.frontier);
    // What the cache knows of the floor may be stale, though not what the header says, nor whether somebody holds it.
    const next = change === undefined ? row : runs.change(runs.at(row.key).row, change, changed.frontier);
    return { row: next, head: changed, headSum: runs.changeHead(next, changed, head) };
  }

  /** What most batches are: records for a run that is known, and a new head. */
  #stepOf(batch: Batch, at: number): Step | undefined {
    const known = this.#cache.get(batch.runId);
    if (known === undefined || batch.create !== null || refusalOf(batch, known) !== undefined) return undefined;
    const { records, snapshot } = batch;
    if (records.length === 0 || snapshot !== null || records.some(hasId)) return undefined;
    // Of a run that nobody holds, the frontier stands in its row as well.
    if (known.row.worker === null || rowChange(batch, known.row, known.head.frontier) !== undefined) return undefined;
    return { batch, at, known, packed: packRecords(records) };
  }

  /** Writes the steps, and puts down what became of each, if all heads are the ones that are known; nothing if not. */
  #appendAll(steps: readonly Step[], committed: Committed[]): void {
    const { chain, runs } = this.#tables;
    const first = chain.appendAll(steps);
    if (first === undefined) return;
    const changed = steps.map(({ batch, at, known: { row, head } }, nth) => {
      const known = changedRun(row, newHead(batch, head, { row, last: first + nth, added: 0 }));
      committed[at] = { result: accepted, known };
      return known;
    });
    runs.changeHeads(changed);
  }

  /** What not every batch has; gives the number of new snapshots. */
  #addOthers({ records, snapshot }: Batch, key: number): number {
    for (const { id, seq } of records) if (id !== undefined) this.#tables.ids.add(key, id, seq);
    return snapshot === null ? 0 : this.#tables.snapshots.put(key, snapshot);
  }
}

const accepted: BatchResult = { ok: true };

function hasId({ id }: StoredRecord): boolean {
  return id !== undefined;
}

function refused(why: Refusal, found: KnownRun | undefined): Committed {
  const result: BatchResult = { ok: false, why, found: found === undefined ? undefined : headerOf(found) };
  return { result, known: undefined };
}

function refusalOf(batch: Batch, known: KnownRun | undefined): Refusal | undefined {
  if (known === undefined || !isWritable(known, batch)) return 'missing';
  if (batch.fence !== null && batch.fence !== known.head.fence) return 'fence';
  return batch.expect === known.head.seq ? undefined : 'head';
}

/** Parts of a copy go on with what is hidden and whole; everybody else with what is seen. */
function isWritable(known: KnownRun, { copy }: Batch): boolean {
  const hidden = isHidden(known.row.state);
  return copy === undefined ? !hidden : hidden && lastSeq(known) === known.head.seq;
}

function blankHead({ copy }: Batch, { forkedAt, worker }: NewRun): HeadRow {
  const fence = worker === null ? 0 : 1;
  const seq = Math.max(forkedAt?.seq ?? 0, copy?.floor ?? 0);
  return { seq, last: 0, fence, claims: 0, step: 0, snaps: 0, age: 0, token: '', frontier: '[]' };
}

function changedRun(row: RunRow, head: HeadRow): KnownRun {
  return { row, head, headSum: sumOfHead(row, head) };
}

interface HeadParts {
  readonly row: Pick<RunRow, 'createdAt'>;
  readonly last: number;
  /** How many snapshots more. */
  readonly added: number;
}

function newHead(batch: Batch, head: HeadRow, { row, last, added }: HeadParts): HeadRow {
  const { superstep: step, frontier } = batch.header;
  return {
    seq: head.seq + batch.records.length,
    last,
    fence: head.fence,
    claims: batch.fence === null ? head.claims : 0,
    step: step ?? head.step,
    snaps: head.snaps + added,
    age: batch.at - row.createdAt,
    token: batch.token,
    frontier: frontier === undefined ? head.frontier : JSON.stringify(frontier),
  };
}

/** What changes of the run's row; undefined for nothing, as with most steps. */
function rowChange(batch: Batch, row: RunRow, frontier: string): RunChange | undefined {
  const state = newState(batch, row);
  const { waits, wakeAt = row.wakeAt, tags } = batch.header;
  const waitsText = waits === undefined ? row.waits : encodeWaits(waits);
  const tagsText = tags === undefined ? row.tags : encodeTags(tags);
  const top = batch.copy === undefined ? row.top : null;
  const isSame =
    state === row.state && wakeAt === row.wakeAt && waitsText === row.waits && tagsText === row.tags && top === row.top;
  if (isSame && !batch.release && parkedAt(row, frontier) === row.parked) return undefined;
  const kinds = waits === undefined ? row.kinds : encodeKinds(waits);
  const change = { state, wakeAt, waits: waitsText, kinds, tags: tagsText, top };
  return batch.release ? { ...change, worker: null } : change;
}

function newState({ header: { status, frontier }, at, copy }: Batch, { state, createdAt }: RunRow): number {
  let changed = copy === undefined ? state : (state & ~(hiddenBit | draftBit)) | visibilityOf(copy);
  if (status !== undefined) changed = withStatus(changed, status);
  if (frontier !== undefined) changed = frontier.length === 0 ? changed | idleBit : changed & ~idleBit;
  return at < createdAt ? changed | earlyBit : changed;
}

function visibilityOf({ end }: CopyPart): number {
  if (end === 'seen') return 0;
  return end === 'hidden' ? hiddenBit : hiddenBit | draftBit;
}

function encodeWaits(waits: HeaderState['waits']): string | null {
  return waits.length === 0 ? null : JSON.stringify(waits);
}

function encodeTags(tags: HeaderState['tags']): string | null {
  return Object.keys(tags).length === 0 ? null : JSON.stringify(tags);
}

function newRow(batch: Batch, create: NewRun, base: number | null): Omit<RunRow, 'key'> {
  const { status = 'pending', frontier = [], waits = [], wakeAt = null, tags = {} } = batch.header;
  const idle = frontier.length === 0 ? idleBit : 0;
  const early = batch.at < create.createdAt ? earlyBit : 0;
  const loop = create.kind === 'journal' ? 1 : 0;
  const state = encodeStatus(status) | idle | early | (batch.copy === undefined ? 0 : visibilityOf(batch.copy));
  const worker = batch.release ? null : create.worker;
  return {
    run: batch.runId,
    createdAt: create.createdAt,
    loop,
    graph: create.graph,
    version: create.version,
    base,
    baseRun: create.forkedAt?.runId ?? null,
    baseSeq: create.forkedAt?.seq ?? null,
    parent: create.parentId,
    state,
    parked: parkedAt({ worker, loop, state }, JSON.stringify(frontier)),
    wakeAt,
    worker,
    kinds: encodeKinds(waits),
    waits: encodeWaits(waits),
    tags: encodeTags(tags),
    floor: batch.copy?.floor ?? 0,
    top: null,
  };
}
