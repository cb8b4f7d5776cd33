import type { Batch, SnapshotKey, StoredId, StoredRecord, StoredSnapshot } from '../contract/commit.ts';
import type { HeaderState, LeaseRefusal, NewRun, RunHeader } from '../contract/run.ts';
import { compareSnapshots } from '../snapshot-order.ts';

/** A refusal, and the head for which it is valid. */
export interface KeptRefusal extends LeaseRefusal {
  readonly head: number;
}

/** One run in memory. Its header is stored as fields, so that a commit changes only some of them. */
export class MemoryRun {
  readonly runId: string;
  readonly fixed: NewRun;
  state: HeaderState = { status: 'pending', superstep: 0, frontier: [], waits: [], wakeAt: null, tags: {} };
  head: number;
  floor: number;
  updatedAt: number;
  fence: number;
  epoch: number;
  worker: string | null;
  claims = 0;
  hidden = false;
  draft = false;
  refusals: readonly KeptRefusal[] = [];
  /** In seq order, without gaps. The first one is above the floor. */
  records: StoredRecord[] = [];
  /** The token of the batch that wrote each record, in the same order. */
  tokens: string[] = [];
  /** In the order of `compareSnapshots`, oldest first. */
  snapshots: StoredSnapshot[] = [];
  /** Those of trimmed records too. */
  readonly ids: Map<string, StoredId> = new Map();

  constructor({ runId, epoch, copy }: Batch, created: NewRun) {
    this.runId = runId;
    this.fixed = created;
    this.floor = copy?.floor ?? 0;
    this.head = Math.max(created.forkedAt?.seq ?? 0, this.floor);
    this.updatedAt = created.createdAt;
    this.worker = created.worker;
    this.fence = created.worker === null ? 0 : 1;
    this.epoch = epoch;
  }

  header(): RunHeader {
    const { runId, fixed, state, worker, head, floor, updatedAt, fence, epoch, claims, hidden } = this;
    const refusals = this.refusals.filter((refusal) => refusal.head === head).map(({ head: _, ...shown }) => shown);
    const header = {
      ...fixed,
      ...state,
      runId,
      worker,
      head,
      floor,
      updatedAt,
      fence,
      epoch,
      claims,
      hidden,
      refusals,
    };
    return this.draft ? { ...header, draft: true } : header;
  }

  /** Applies a batch that passed all checks. */
  apply(batch: Batch): void {
    this.state = changed(this.state, batch.header);
    for (const record of batch.records) {
      this.records.push(record);
      this.tokens.push(batch.token);
    }
    this.addIds(batch.ids);
    this.head += batch.records.length;
    if (batch.snapshot) this.keepSnapshot(batch.snapshot);
    if (batch.fence !== null) this.claims = 0;
    if (batch.release) this.worker = null;
    if (batch.copy !== undefined) {
      this.draft = batch.copy.end === null;
      this.hidden = batch.copy.end !== 'seen';
    }
    this.updatedAt = batch.at;
  }

  lease(worker: string): void {
    if (this.worker !== null) this.claims += 1;
    this.worker = worker;
    this.fence += 1;
  }

  addIds(ids: readonly StoredId[]): void {
    for (const each of ids) this.ids.set(each.id, each);
  }

  /** Drops the ids that fit. */
  dropIds(goes: (id: StoredId) => boolean): void {
    for (const each of this.ids.values()) if (goes(each)) this.ids.delete(each.id);
  }

  /** The token of the batch that wrote the record after `seq`. Undefined if there is none. */
  tokenAfter(seq: number): string | undefined {
    return this.tokens[seq + 1 - this.firstSeq];
  }

  /** The seq of the first stored record, or of the next one if there is none. */
  get firstSeq(): number {
    return Math.max(this.floor, this.fixed.forkedAt?.seq ?? 0) + 1;
  }

  /** The seq of the last stored record. Below the first seq if there is none. */
  get lastSeq(): number {
    return this.firstSeq + this.records.length - 1;
  }

  /** Whether the record with this seq was trimmed, so that its token is unknown. */
  hasDropped(seq: number): boolean {
    return seq <= this.floor || (seq > this.lastSeq && seq <= this.head);
  }

  keepSnapshot(snapshot: StoredSnapshot): void {
    let at = this.snapshots.length;
    while (at > 0 && compareSnapshots(this.snapshots[at - 1] as SnapshotKey, snapshot) >= 0) at -= 1;
    const known = this.snapshots[at];
    const replaces = known !== undefined && compareSnapshots(known, snapshot) === 0;
    this.snapshots.splice(at, replaces ? 1 : 0, snapshot);
  }

  drop(records: ReadonlySet<StoredRecord>, snapshots: ReadonlySet<StoredSnapshot>): void {
    this.tokens = this.tokens.filter((_, at) => !records.has(this.records[at] as StoredRecord));
    this.records = this.records.filter((record) => !records.has(record));
    this.snapshots = this.snapshots.filter((snapshot) => !snapshots.has(snapshot));
  }

  hide(): void {
    this.hidden = true;
    this.fence += 1;
    this.worker = null;
  }
}

/** The state with the fields that a batch sets. Undefined fields stay unchanged. */
function changed(state: HeaderState, header: Partial<HeaderState>): HeaderState {
  const {
    status = state.status,
    superstep = state.superstep,
    frontier = state.frontier,
    waits = state.waits,
    wakeAt = state.wakeAt,
    tags = state.tags,
  } = header;
  return { status, superstep, frontier, waits, wakeAt, tags };
}
