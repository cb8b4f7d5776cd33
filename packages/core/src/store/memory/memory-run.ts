import type {
  Batch,
  ForkPoint,
  NewRun,
  RunHeader,
  RunStatus,
  SnapshotKey,
  StoredRecord,
  StoredSnapshot,
  WaitHead,
} from '../contract.ts';
import { compareSnapshots } from '../snapshot-order.ts';

/** One run in memory: its header, unfolded so that a commit touches only what changes, and what it holds. */
export class MemoryRun {
  readonly runId: string;
  readonly fixed: NewRun;
  status: RunStatus = 'pending';
  superstep = 0;
  frontier: readonly string[] = [];
  waits: readonly WaitHead[] = [];
  wakeAt: number | null = null;
  tags: Readonly<Record<string, string>> = {};
  head: number;
  floor: number;
  updatedAt: number;
  fence: number;
  worker: string | null;
  claims = 0;
  hidden = false;
  draft = false;
  token = '';
  /** In seq order without gaps; the first one is past the floor. */
  records: StoredRecord[] = [];
  /** In the order of `compareSnapshots`, the oldest first. */
  snapshots: StoredSnapshot[] = [];
  /** Most runs have no record that bears a name. */
  #seqById: Map<string, number> | undefined;

  constructor(runId: string, created: NewRun, floor = 0) {
    this.runId = runId;
    this.fixed = created;
    this.floor = floor;
    this.head = Math.max(created.forkedAt?.seq ?? 0, floor);
    this.updatedAt = created.createdAt;
    this.worker = created.worker;
    this.fence = created.worker === null ? 0 : 1;
  }

  get forkedAt(): ForkPoint | null {
    return this.fixed.forkedAt;
  }

  /** Written out, because every claim, read and refusal makes one, and objects made by spreading are slow. */
  header(): RunHeader {
    const { fixed } = this;
    const header: RunHeader = {
      runId: this.runId,
      kind: fixed.kind,
      graph: fixed.graph,
      version: fixed.version,
      forkedAt: fixed.forkedAt,
      parentId: fixed.parentId,
      createdAt: fixed.createdAt,
      worker: this.worker,
      status: this.status,
      superstep: this.superstep,
      frontier: this.frontier,
      waits: this.waits,
      wakeAt: this.wakeAt,
      tags: this.tags,
      head: this.head,
      floor: this.floor,
      updatedAt: this.updatedAt,
      fence: this.fence,
      claims: this.claims,
      hidden: this.hidden,
      token: this.token,
    };
    return this.draft ? { ...header, draft: true } : header;
  }

  /** Carries out a batch that has been found acceptable. */
  take(batch: Batch): void {
    const { status, superstep, frontier, waits, wakeAt, tags } = batch.header;
    if (status !== undefined) this.status = status;
    if (superstep !== undefined) this.superstep = superstep;
    if (frontier !== undefined) this.frontier = frontier;
    if (waits !== undefined) this.waits = waits;
    if (wakeAt !== undefined) this.wakeAt = wakeAt;
    if (tags !== undefined) this.tags = tags;
    for (const record of batch.records) {
      this.records.push(record);
      if (record.id !== undefined) (this.#seqById ??= new Map()).set(record.id, record.seq);
    }
    this.head += batch.records.length;
    if (batch.snapshot) this.keepSnapshot(batch.snapshot);
    if (batch.fence !== null) this.claims = 0;
    if (batch.release) this.worker = null;
    if (batch.copy !== undefined) {
      this.draft = batch.copy.end === null;
      this.hidden = batch.copy.end !== 'seen';
    }
    this.updatedAt = batch.at;
    this.token = batch.token;
  }

  claim(worker: string): RunHeader {
    this.worker = worker;
    this.fence += 1;
    this.claims += 1;
    return this.header();
  }

  recordById(id: string): StoredRecord | undefined {
    const seq = this.#seqById?.get(id);
    return seq === undefined ? undefined : this.records[seq - this.firstSeq];
  }

  /** The seq that the first kept record has, or would have. */
  get firstSeq(): number {
    return Math.max(this.floor, this.fixed.forkedAt?.seq ?? 0) + 1;
  }

  /** The seq of the last kept record; below the first one where none is kept. */
  get lastSeq(): number {
    return this.firstSeq + this.records.length - 1;
  }

  keepSnapshot(snapshot: StoredSnapshot): void {
    let at = this.snapshots.length;
    while (at > 0 && compareSnapshots(this.snapshots[at - 1] as SnapshotKey, snapshot) >= 0) at -= 1;
    const known = this.snapshots[at];
    const replaces = known !== undefined && compareSnapshots(known, snapshot) === 0;
    this.snapshots.splice(at, replaces ? 1 : 0, snapshot);
  }

  drop(records: ReadonlySet<StoredRecord>, snapshots: ReadonlySet<StoredSnapshot>): void {
    for (const { id } of records) if (id !== undefined) this.#seqById?.delete(id);
    this.records = this.records.filter((record) => !records.has(record));
    this.snapshots = this.snapshots.filter((snapshot) => !snapshots.has(snapshot));
  }

  hide(): void {
    this.hidden = true;
    this.fence += 1;
    this.worker = null;
  }
}
