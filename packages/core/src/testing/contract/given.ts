import assert from 'node:assert/strict';
import type { NewEntry } from '../../record/record.ts';
import type { Commit, NewSnapshot } from '../../store/check/check-commit.ts';
import type { Trim } from '../../store/check/check-request.ts';
import type { CheckedStore, Claim } from '../../store/checked-store.ts';
import type { Refusal } from '../../store/contract/commit.ts';
import type { ClaimRequest } from '../../store/contract/lease.ts';
import type { RunsQuery } from '../../store/contract/read.ts';
import type { TrimResult } from '../../store/contract/retention.ts';
import type { HeaderState, NewRun, RunHeader } from '../../store/contract/run.ts';

/** What a test says of a run to create; the rest is as plain as can be. */
export interface CreateParts extends Partial<NewRun>, Partial<HeaderState> {
  readonly entries?: readonly NewEntry[];
  readonly snapshot?: NewSnapshot;
}

/** What a test says of a commit; by default it appends one record. */
export interface CommitParts {
  readonly expect: number;
  readonly epoch?: number;
  readonly entries?: readonly NewEntry[];
  readonly header?: Partial<HeaderState>;
  readonly snapshot?: NewSnapshot;
}

/** An owner's. */
export interface OwnerParts extends CommitParts {
  readonly fence: number;
  readonly release?: boolean;
}

/** A note, which every writer may append. */
export function note(payload: unknown, id?: string): NewEntry {
  return { kind: 'note', at: 1_000, payload, ...(id === undefined ? {} : { id }) };
}

/** As many notes as that, with their number as payload. */
export function notes(count: number): readonly NewEntry[] {
  return Array.from({ length: count }, (_, at) => note(at + 1));
}

/** A snapshot that covers so much. */
export function snapshotOf(covers: number, body: unknown = { covers }): NewSnapshot {
  return { covers, head: { label: `of ${covers}` }, body };
}

/** The commit that creates a run. */
export function creationOf(runId: string, parts: CreateParts = {}): Commit {
  const { kind = 'graph', graph = 'graph', version = 1, forkedAt = null, parentId = null, createdAt = 1_000 } = parts;
  const {
    worker = null,
    status = 'pending',
    superstep = 0,
    frontier = [],
    waits = [],
    wakeAt = null,
    tags = {},
  } = parts;
  return {
    runId,
    writer: { by: 'creator', of: { kind, graph, version, forkedAt, parentId, createdAt, worker } },
    expect: forkedAt?.seq ?? 0,
    entries: parts.entries ?? [note('first')],
    header: { status, superstep, frontier, waits, wakeAt, tags },
    snapshot: parts.snapshot,
  };
}

/** A commit of the run's owner. */
export function ownerOf(runId: string, { fence, release = false, ...parts }: OwnerParts): Commit {
  return { runId, writer: { by: 'owner', fence, release }, entries: [note('more')], ...parts };
}

/** A commit of somebody else. */
export function externalWriteOf(runId: string, parts: CommitParts): Commit {
  return { runId, writer: { by: 'external' }, entries: [note('more')], ...parts };
}

/** A commit of a journal run on its run. */
export function journalWriteOf(runId: string, parts: CommitParts): Commit {
  return { runId, writer: { by: 'journal' }, entries: [note('more')], ...parts };
}

/** Commits, and is sure that it was taken. */
export async function commit(store: CheckedStore, ...commits: readonly Commit[]): Promise<void> {
  for (const each of commits) {
    const outcome = await store.commit(each);
    assert.equal(outcome.ok, true, `the commit of ${each.runId} after ${each.expect} is taken`);
    if (outcome.ok) assert.equal(outcome.head, each.expect + each.entries.length);
  }
}

/** Creates a run, and is sure that it was. */
export async function create(store: CheckedStore, runId: string, parts: CreateParts = {}): Promise<void> {
  await commit(store, creationOf(runId, parts));
}

/** Commits, and is sure that it was refused for that reason; gives what the store says it found. */
export async function refused(store: CheckedStore, refusal: Refusal, commit: Commit): Promise<RunHeader | undefined> {
  const outcome = await store.commit(commit);
  if (outcome.ok) assert.fail(`the commit of ${commit.runId} is refused by ${refusal}`);
  assert.equal(outcome.why, refusal);
  return outcome.found;
}

/** The header of a run that must be there, hidden or not. */
export async function headerOf(store: CheckedStore, runId: string): Promise<RunHeader> {
  const found = await store.runs({ runIds: [runId], order: 'oldest', limit: 10 });
  assert.deepEqual(
    found.map((header) => header.runId),
    [runId],
  );
  return found[0] as RunHeader;
}

/** The seqs of all the run's records, read from the oldest on. */
export async function seqsOf(store: CheckedStore, runId: string): Promise<readonly number[]> {
  const records = await store.records({ runId, order: 'oldest', limit: 1_000 });
  return records.map(({ seq }) => seq);
}

/** The keys of all the run's snapshots, as `covers/seq`, the newest first. */
export async function snapshotsOf(store: CheckedStore, runId: string): Promise<readonly string[]> {
  const snapshots = await store.snapshots({ runId, limit: 1_000, bodies: false });
  return snapshots.map(({ covers, seq }) => `${covers}/${seq}`);
}

/** The ids of the runs that a query finds, by default from the oldest on. */
export async function idsOf(store: CheckedStore, query: Partial<RunsQuery> = {}): Promise<readonly string[]> {
  const found = await store.runs({ order: 'oldest', limit: 1_000, ...query });
  return found.map(({ runId }) => runId);
}

/** Everything that is kept of a run, to see that nothing of it changed. */
export async function allOf(store: CheckedStore, runId: string): Promise<unknown> {
  return {
    header: await store.runs({ runIds: [runId], order: 'oldest', limit: 1 }),
    records: await store.records({ runId, order: 'oldest', limit: 1_000 }),
    snapshots: await store.snapshots({ runId, limit: 1_000, bodies: true }),
    ids: await store.ids({ runId, limit: 1_000 }),
  };
}

/** A lease that most tests do with. */
export const leaseMs = 5_000;

/** Keeps workers alive. */
export async function live(store: CheckedStore, ...workers: readonly string[]): Promise<void> {
  for (const worker of workers) await store.claim({ type: 'heartbeat', worker, leaseMs });
}

type DueParts = Partial<Omit<ClaimRequest & { readonly type: 'due' }, 'type' | 'worker'>>;

/** Claims due runs, by default all of them that have the plain graph. */
export function claimDue(store: CheckedStore, worker: string, parts: DueParts = {}): Promise<Claim> {
  return store.claim({
    type: 'due',
    worker,
    leaseMs,
    graphs: [{ name: 'graph' }],
    limit: 100,
    takeover: true,
    ...parts,
  });
}

/** Claims one run, by default whatever its wake time. */
export function claimOne(
  store: CheckedStore,
  worker: string,
  runId: string,
  parts: { readonly ifDue?: boolean; readonly leaseMs?: number } = {},
): Promise<Claim> {
  return store.claim({ type: 'one', worker, leaseMs, runId, ifDue: false, ...parts });
}

/** The ids of the runs that a claim leased. */
export function claimedIds({ claimed }: Claim): readonly string[] {
  return claimed.map(({ header }) => header.runId);
}

/** Claims one run; gives its new fence, or undefined if it was not leased. */
export async function fenceOf(store: CheckedStore, worker: string, runId = 'run'): Promise<number | undefined> {
  const { claimed } = await claimOne(store, worker, runId);
  return claimed[0]?.header.fence;
}

const mostPieces = 10_000;

/** Carries out a plan to its end, and counts all that went. */
export async function trimAll(store: CheckedStore, plan: Trim): Promise<TrimResult> {
  const sum = { records: 0, snapshots: 0, bytes: 0 };
  for (let piece = 0; piece < mostPieces; piece += 1) {
    const result = await store.trim(plan);
    if (!result.ok) {
      assert.equal(piece, 0, 'a plan is refused before any of it is carried out');
      return result;
    }
    sum.records += result.records;
    sum.snapshots += result.snapshots;
    sum.bytes += result.bytes;
    if (!result.more) return { ok: true, ...sum, more: false };
  }
  return assert.fail('a plan has an end');
}
