import type { Awaitable } from '../async/awaitable.ts';
import type { SnapshotKey, StoredId, StoredRecord, StoredSnapshot } from './contract/commit.ts';
import type { StoreDriver } from './contract/driver.ts';
import type {
  IdQuery,
  LoadQuery,
  Located,
  RecordQuery,
  RunsPage,
  RunsQuery,
  SnapshotQuery,
  StoredRun,
} from './contract/read.ts';
import type { RunHeader } from './contract/run.ts';
import { compareSnapshots } from './snapshot-order.ts';

/** A driver's reads, asynchronous or synchronous. */
interface Reads {
  runs(query: RunsQuery): Awaitable<RunsPage>;
  records(query: RecordQuery): Awaitable<readonly StoredRecord[]>;
  snapshots(query: SnapshotQuery): Awaitable<readonly StoredSnapshot[]>;
  ids(query: IdQuery): Awaitable<readonly StoredId[]>;
}

/** Synchronous reads, inside one transaction of an embedded database. */
export interface ReadsAtOnce extends Reads {
  runs(query: RunsQuery): RunsPage;
  records(query: RecordQuery): readonly StoredRecord[];
  snapshots(query: SnapshotQuery): readonly StoredSnapshot[];
  ids(query: IdQuery): readonly StoredId[];
}

/** A generator that yields its reads and receives the results, so that one composition serves both kinds of reads. */
type Steps<T> = Generator<Awaitable<unknown>, T, unknown>;

/** Implements `load` with the driver's other reads, for a driver whose reads cost no round trip. */
export async function composeLoad(
  driver: Pick<StoreDriver, keyof Reads>,
  query: LoadQuery,
): Promise<StoredRun | undefined> {
  const steps = loadSteps(driver, query);
  let step = steps.next();
  while (step.done !== true) step = steps.next(await step.value);
  return step.value;
}

/** The same with synchronous reads. */
export function composeLoadAtOnce(reads: ReadsAtOnce, query: LoadQuery): StoredRun | undefined {
  const steps = loadSteps(reads, query);
  let step = steps.next();
  while (step.done !== true) step = steps.next(step.value);
  return step.value;
}

function* answer<T>(asked: Awaitable<T>): Steps<T> {
  return (yield asked) as T;
}

/** The part of the loaded run's journal that one run of its lineage has: seqs above `after`, up to `upTo`. */
interface Part {
  readonly runId: string;
  readonly after: number;
  readonly upTo: number;
}

function* loadSteps(reads: Reads, query: LoadQuery): Steps<StoredRun | undefined> {
  const header = yield* headerOf(reads, query.runId);
  if (header === undefined) return undefined;
  const lineage = yield* lineageOf(reads, header);
  const parts = partsOf([header, ...lineage], query.upTo);
  const id = query.id === undefined ? undefined : yield* findId(reads, parts, query.id);
  if (query.limit === 0) return { header, lineage, snapshot: undefined, records: [], id };
  const snapshot = yield* newestSnapshot(reads, parts, query.before);
  const records = yield* recordsAfter(reads, parts, { after: snapshot?.value.covers ?? 0, limit: query.limit });
  return { header, lineage, snapshot, records, id };
}

function* findId(reads: Reads, parts: readonly Part[], id: string): Steps<Located<StoredId> | undefined> {
  for (const { runId, upTo } of parts) {
    const [value] = yield* answer(reads.ids({ runId, id, upTo, limit: 1 }));
    if (value !== undefined) return { runId, value };
  }
  return undefined;
}

function* headerOf(reads: Reads, runId: string): Steps<RunHeader | undefined> {
  const { headers, corrupt } = yield* answer(reads.runs({ runIds: [runId], order: 'oldest', limit: 1 }));
  if (corrupt[0] !== undefined) throw corrupt[0];
  return headers[0];
}

/** A trimmed run needs nothing from its base. A missing run ends the list, and the reader reports it. */
function* lineageOf(reads: Reads, header: RunHeader): Steps<readonly RunHeader[]> {
  const lineage: RunHeader[] = [];
  const seen = new Set([header.runId]);
  for (let { forkedAt, floor } = header; forkedAt !== null && floor === 0 && !seen.has(forkedAt.runId); ) {
    seen.add(forkedAt.runId);
    const above: RunHeader | undefined = yield* headerOf(reads, forkedAt.runId);
    if (above === undefined) break;
    lineage.push(above);
    ({ forkedAt, floor } = above);
  }
  return lineage;
}

/** Newest first. */
function partsOf(runs: readonly RunHeader[], upTo = Number.MAX_SAFE_INTEGER): readonly Part[] {
  const parts: Part[] = [];
  let highest = upTo;
  for (const { runId, forkedAt, floor } of runs) {
    const after = forkedAt?.seq ?? 0;
    // A run that was trimmed at its fork point has a snapshot of that record, which belongs to its base.
    if (after < highest || (floor > 0 && floor === highest)) parts.push({ runId, after, upTo: highest });
    highest = Math.min(highest, after);
  }
  return parts;
}

function* newestSnapshot(
  reads: Reads,
  parts: readonly Part[],
  before: SnapshotKey | undefined,
): Steps<Located<StoredSnapshot> | undefined> {
  let newest: Located<StoredSnapshot> | undefined;
  for (const part of parts) {
    const found = yield* snapshotIn(reads, part, before);
    if (found !== undefined && (newest === undefined || compareSnapshots(found, newest.value) > 0)) {
      newest = { runId: part.runId, value: found };
    }
    // Runs further up only have snapshots that cover less.
    if (newest !== undefined && newest.value.covers >= part.after) break;
  }
  return newest;
}

/** The newest snapshot of one run that was written in this part and covers no more than it. */
function* snapshotIn(
  reads: Reads,
  { runId, upTo }: Part,
  before: SnapshotKey | undefined,
): Steps<StoredSnapshot | undefined> {
  for (let last = before; ; ) {
    const page = yield* answer(reads.snapshots({ runId, covers: upTo, before: last, limit: 1, bodies: true }));
    const found: StoredSnapshot | undefined = page[0];
    if (found === undefined || found.seq <= upTo) return found;
    last = found;
  }
}

function* recordsAfter(
  reads: Reads,
  parts: readonly Part[],
  { after, limit }: { readonly after: number; readonly limit: number },
): Steps<readonly Located<StoredRecord>[]> {
  const records: Located<StoredRecord>[] = [];
  for (const { runId, after: from, upTo } of parts.toReversed()) {
    if (upTo <= after || records.length >= limit) continue;
    const before = upTo === Number.MAX_SAFE_INTEGER ? undefined : upTo + 1;
    const query = {
      runId,
      after: Math.max(from, after),
      before,
      order: 'oldest',
      limit: limit - records.length,
    } as const;
    for (const value of yield* answer(reads.records(query))) records.push({ runId, value });
  }
  return records;
}
