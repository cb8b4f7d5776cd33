import type { SnapshotKey, StoredRecord, StoredSnapshot } from './contract/commit.ts';
import type { StoreDriver } from './contract/driver.ts';
import type { Held, LoadQuery, StoredRun } from './contract/read.ts';
import type { RunHeader } from './contract/run.ts';
import { compareSnapshots } from './snapshot-order.ts';

type Reads = Pick<StoreDriver, 'records' | 'runs' | 'snapshots'>;

/** The part of the loaded run's journal that one run of its lineage holds: seqs past `after`, up to `upTo`. */
interface Part {
  readonly runId: string;
  readonly after: number;
  readonly upTo: number;
}

/** Answers `load` by the driver's other reads: for a driver whose reads cost no round trip. */
export async function composeLoad(driver: Reads, query: LoadQuery): Promise<StoredRun | undefined> {
  const header = await headerOf(driver, query.runId);
  if (header === undefined) return undefined;
  const lineage = await lineageOf(driver, header);
  if (query.limit === 0) return { header, lineage, snapshot: undefined, records: [] };
  const parts = partsOf([header, ...lineage], query.upTo);
  const snapshot = await newestSnapshot(driver, parts, query.before);
  const records = await recordsAfter(driver, parts, { after: snapshot?.value.covers ?? 0, limit: query.limit });
  return { header, lineage, snapshot, records };
}

async function headerOf(driver: Reads, runId: string): Promise<RunHeader | undefined> {
  const { headers, corrupt } = await driver.runs({ runIds: [runId], order: 'oldest', limit: 1 });
  if (corrupt[0] !== undefined) throw corrupt[0];
  return headers[0];
}

/** A run that was trimmed needs nothing of what it was forked from. One that is missing ends the list: the reader says so. */
async function lineageOf(driver: Reads, header: RunHeader): Promise<readonly RunHeader[]> {
  const lineage: RunHeader[] = [];
  const seen = new Set([header.runId]);
  for (let { forkedAt, floor } = header; forkedAt !== null && floor === 0 && !seen.has(forkedAt.runId); ) {
    seen.add(forkedAt.runId);
    const above = await headerOf(driver, forkedAt.runId);
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
    // A run that was trimmed at its fork point has a snapshot of that record, which is not its own.
    if (after < highest || (floor > 0 && floor === highest)) parts.push({ runId, after, upTo: highest });
    highest = Math.min(highest, after);
  }
  return parts;
}

async function newestSnapshot(
  driver: Reads,
  parts: readonly Part[],
  before: SnapshotKey | undefined,
): Promise<Held<StoredSnapshot> | undefined> {
  let newest: Held<StoredSnapshot> | undefined;
  for (const part of parts) {
    const found = await snapshotIn(driver, part, before);
    if (found !== undefined && (newest === undefined || compareSnapshots(found, newest.value) > 0)) {
      newest = { runId: part.runId, value: found };
    }
    // Runs further up hold only what covers less.
    if (newest !== undefined && newest.value.covers >= part.after) break;
  }
  return newest;
}

/** The newest snapshot of one run that covers, and was written in, the part. */
async function snapshotIn(
  driver: Reads,
  { runId, upTo }: Part,
  before: SnapshotKey | undefined,
): Promise<StoredSnapshot | undefined> {
  for (let last = before; ; ) {
    const [found] = await driver.snapshots({ runId, covers: upTo, before: last, limit: 1, bodies: true });
    if (found === undefined || found.seq <= upTo) return found;
    last = found;
  }
}

async function recordsAfter(
  driver: Reads,
  parts: readonly Part[],
  { after, limit }: { readonly after: number; readonly limit: number },
): Promise<readonly Held<StoredRecord>[]> {
  const records: Held<StoredRecord>[] = [];
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
    for (const value of await driver.records(query)) records.push({ runId, value });
  }
  return records;
}
