import { holdfastError } from '../../errors/holdfast-error.ts';
import { allRuns, anyHeader } from '../../journal/all-runs.ts';
import { type TrimContext, trimRun } from '../../journal/trim-run.ts';
import type { NewEntry } from '../../record/record.ts';
import { encodeEntry } from '../../record/record-codec.ts';
import type { NewSnapshot } from '../../store/check/check-commit.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { CopyPart } from '../../store/contract/commit.ts';
import type { HeaderState, RunHeader } from '../../store/contract/run.ts';
import { sameValue } from '../../value/equal.ts';
import { beginOf, type MovedRun, type Part } from './moved-run.ts';
import { lastKept } from './read-parts.ts';

type Snapshot = NewSnapshot & { readonly seq: number };

/**
 * A run that is copied into a store piece by piece. Records that are already there are compared; the rest is written to a
 * draft, which stays hidden until `show`.
 */
export class RunArrival {
  readonly moved: MovedRun;
  readonly #store: CheckedStore;
  /** The run as it was before; undefined if it is new here. */
  readonly #found: RunHeader | undefined;
  /** The seq of the last record in this store. */
  #head: number;
  readonly #writes: boolean;

  private constructor(store: CheckedStore, moved: MovedRun, found: RunHeader | undefined, head: number) {
    this.#store = store;
    this.moved = moved;
    this.#found = found;
    this.#head = head;
    this.#writes = found === undefined || writesTo(found, moved, head);
  }

  /** @throws HOLDFAST_ID_TAKEN when a different run has its id */
  static async begin(store: CheckedStore, moved: MovedRun): Promise<RunArrival> {
    const found = await anyHeader(store, moved.runId);
    if (found === undefined) {
      const arrival = new RunArrival(store, moved, undefined, beginOf(moved));
      await arrival.#create();
      return arrival;
    }
    const difference = fixedDifference(found, moved);
    if (difference !== undefined) throw taken(moved, difference);
    const head = await lastKept(store, found);
    const arrival = new RunArrival(store, moved, found, head);
    if (arrival.#writes && head !== found.head) throw taken(moved, 'it was deleted here, but forks still need it');
    return arrival;
  }

  /** Whether the whole run was already here. */
  get isThere(): boolean {
    return !this.#writes;
  }

  /** @throws HOLDFAST_ID_TAKEN when what is here differs */
  async take({ after, entries, snapshot, ids }: Part): Promise<void> {
    if (ids !== undefined && this.#writes) await this.#store.trim({ runId: this.moved.runId, ids });
    if (after > this.#head) throw taken(this.moved, `it ends at ${this.moved.runId}@${this.#head} here`);
    const there = Math.min(entries.length, this.#head - after);
    if (there > 0) await this.#compare(after, entries.slice(0, there));
    const rest = entries.slice(there);
    const isKnown = rest.length === 0 && snapshot !== undefined && (await this.#hasSnapshot(snapshot));
    const isNothing = rest.length === 0 && (snapshot === undefined || isKnown);
    if (isNothing) return;
    if (!this.#writes) {
      // A checkpoint may have been pruned here; records past the head are a difference.
      if (rest.length > 0) throw taken(this.moved, `it ends at ${this.moved.runId}@${this.#head} here`);
      return;
    }
    await this.#write(rest, { snapshot });
  }

  /** Checks that the run is complete. @throws HOLDFAST_ID_TAKEN when it has more records here */
  finish(): void {
    const { head, runId, end } = this.moved;
    if (this.#head < head) throw taken(this.moved, `it ends at ${runId}@${this.#head} here`);
    // A base may have continued here: its fork does not see that.
    const isBase = end === 'hidden';
    if (this.#head > head && !isBase) throw taken(this.moved, `it continued to ${runId}@${this.#head} here`);
  }

  /** Makes the run visible, with its final header. */
  async show(header: HeaderState = this.moved.header): Promise<void> {
    if (this.#writes) await this.#write([], { header, end: this.moved.end });
  }

  async #create(): Promise<void> {
    const { runId, header } = this.moved;
    const { kind, graph, version, forkedAt, parentId, createdAt, floor, updatedAt: at } = this.moved;
    const of = { kind, graph, version, forkedAt, parentId, createdAt, worker: null };
    const writer = { by: 'copier', of, floor, end: null, at } as const;
    const outcome = await this.#store.commit({ runId, writer, expect: this.#head, entries: [], header });
    if (outcome.ok) return;
    if (outcome.why === 'exists') throw copiedByOthers(runId);
    throw noBase(runId, `${forkedAt?.runId}@${forkedAt?.seq}`);
  }

  async #write(
    entries: readonly NewEntry[],
    { snapshot, header, end = null }: { snapshot?: Snapshot | undefined; header?: HeaderState; end?: CopyPart['end'] },
  ): Promise<void> {
    const { runId, floor, updatedAt: at } = this.moved;
    const writer = { by: 'copier', of: null, floor, end, at } as const;
    const outcome = await this.#store.commit({ runId, writer, expect: this.#head, entries, header, snapshot });
    if (!outcome.ok) throw copiedByOthers(runId);
    this.#head += entries.length;
  }

  async #compare(after: number, entries: readonly NewEntry[]): Promise<void> {
    const { runId } = this.moved;
    const floor = this.#found === undefined ? 0 : beginOf(this.#found);
    // Pruned records cannot be compared; they were compared when they were copied.
    const from = Math.max(after, Math.min(floor, after + entries.length));
    const kept = entries.slice(from - after);
    if (kept.length === 0) return;
    const there = await this.#store.records({ runId, after: from, order: 'oldest', limit: kept.length });
    kept.forEach((entry, at) => {
      const found = there[at];
      const isSame = found?.seq === from + at + 1 && encodeEntry(found) === encodeEntry(entry);
      if (!isSame) throw taken(this.moved, `${runId}@${from + at + 1} is a different record here`);
    });
  }

  async #hasSnapshot({ covers, seq, head, body }: Snapshot): Promise<boolean> {
    const { runId, kind } = this.moved;
    const before = { covers, seq: seq + 1 };
    const [found] = await this.#store.snapshots({ runId, covers, before, limit: 1, bodies: true });
    if (found?.covers !== covers || found.seq !== seq) return false;
    if (found.ok && sameValue(found.head, head) && sameValue(found.body, body)) return true;
    // A graph run's snapshot is a cache: it is written again.
    if (kind === 'graph') return false;
    throw taken(this.moved, `the checkpoint ${runId}@${seq} is different here`);
  }
}

/** Whether there is something to write: to a draft, or to a hidden run that becomes visible or longer. */
function writesTo(found: RunHeader, { end, head }: MovedRun, there: number): boolean {
  if (!found.hidden) return false;
  return found.draft === true || end === 'seen' || there < head;
}

function fixedDifference(found: RunHeader, moved: MovedRun): string | undefined {
  const { kind, graph, version, forkedAt, parentId, createdAt, floor } = moved;
  if (found.kind !== kind || found.graph !== graph)
    return found.kind === 'journal' ? 'it is a journal run here' : `it is a run of "${found.graph}" here`;
  if (found.version !== version) return `it was started by version ${found.version} of "${graph}" here`;
  if (found.forkedAt?.runId !== forkedAt?.runId || found.forkedAt?.seq !== forkedAt?.seq)
    return 'it was forked from a different record here';
  if (found.parentId !== parentId)
    return found.parentId === null ? 'it is no child run here' : `it is a child run of "${found.parentId}" here`;
  if (found.createdAt !== createdAt) return `it was created at ${new Date(found.createdAt).toISOString()} here`;
  if (found.draft === true && found.floor !== floor) return 'an incomplete copy with a different floor is here';
  return undefined;
}

function taken({ runId }: MovedRun, why: string): Error {
  return holdfastError(
    'HOLDFAST_ID_TAKEN',
    `Run "${runId}" already exists, but ${why}. Nothing was changed. Delete it, or import under another id.`,
    { details: { runId, why } },
  );
}

function noBase(runId: string, base: string): Error {
  return holdfastError(
    'HOLDFAST_ID_TAKEN',
    `Run "${runId}" was forked from ${base}, which was pruned here. Import it into another store.`,
    { details: { runId, base, why: 'its base was pruned' } },
  );
}

function copiedByOthers(runId: string): Error {
  return holdfastError('HOLDFAST_CONFLICT', `Someone else is copying run "${runId}" into this store too. Try again.`, {
    details: { runId },
  });
}

/** Removes the draft that an earlier copy left, and the drafts forked from it. Returns the runs that went. */
export async function discardDraft(context: TrimContext, runId: string): Promise<readonly string[]> {
  const gone: string[] = [];
  await discard(context, runId, { gone, seen: new Set() });
  return gone;
}

async function discard(
  context: TrimContext,
  runId: string,
  { gone, seen }: { readonly gone: string[]; readonly seen: Set<string> },
): Promise<void> {
  if (seen.has(runId)) return;
  seen.add(runId);
  const found = await anyHeader(context.store, runId);
  if (found?.draft !== true) return;
  for await (const fork of allRuns(context.store, { forkOf: runId, hidden: true }))
    await discard(context, fork.runId, { gone, seen });
  // Refused when a run that is no draft was forked from it.
  const removed = await trimRun(context, { runId, remove: true });
  if (removed.ok) gone.push(runId);
}
