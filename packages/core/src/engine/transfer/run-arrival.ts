import { holdfastError } from '../../errors/holdfast-error.ts';
import { allRuns } from '../../journal/all-runs.ts';
import { trimWhole } from '../../journal/trim-whole.ts';
import type { NewEntry } from '../../record/record.ts';
import { encodeEntry } from '../../record/record-codec.ts';
import type { NewSnapshot } from '../../store/check/check-commit.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { CopyPart } from '../../store/contract/commit.ts';
import type { HeaderState, RunHeader } from '../../store/contract/run.ts';
import { sameValue } from '../../value/equal.ts';
import { beginOf, type MovedRun, type Part } from './moved-run.ts';
import { anyHeader, lastKept } from './read-parts.ts';

type Snapshot = NewSnapshot & { readonly seq: number };

/**
 * A run that comes into a store piece by piece. What is there already is compared and not written again; the rest is
 * written to a draft, which nobody sees until `show`.
 */
export class RunArrival {
  readonly moved: MovedRun;
  readonly #store: CheckedStore;
  /** What was there before; undefined for a run that is new here. */
  readonly #found: RunHeader | undefined;
  /** The last record that is there. */
  #head: number;
  readonly #writes: boolean;

  private constructor(store: CheckedStore, moved: MovedRun, found: RunHeader | undefined, head: number) {
    this.#store = store;
    this.moved = moved;
    this.#found = found;
    this.#head = head;
    this.#writes = found === undefined || writesTo(found, moved, head);
  }

  /** @throws HOLDFAST_ID_TAKEN when another run has its id */
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
    if (arrival.#writes && head !== found.head) throw taken(moved, 'it was deleted here, and forks still stand on it');
    return arrival;
  }

  /** Whether all of it was there, and is seen by those who may, before anything came. */
  get isThere(): boolean {
    return !this.#writes;
  }

  /** @throws HOLDFAST_ID_TAKEN when what is there differs */
  async take({ after, entries, snapshot }: Part): Promise<void> {
    if (after > this.#head) throw taken(this.moved, `it ends with ${this.moved.runId}@${this.#head} here`);
    const there = Math.min(entries.length, this.#head - after);
    if (there > 0) await this.#compare(after, entries.slice(0, there));
    const rest = entries.slice(there);
    const isKnown = rest.length === 0 && snapshot !== undefined && (await this.#hasSnapshot(snapshot));
    const isNothing = rest.length === 0 && (snapshot === undefined || isKnown);
    if (isNothing) return;
    if (!this.#writes) {
      // A checkpoint that was pruned here is no difference; records past the head are.
      if (rest.length > 0) throw taken(this.moved, `it ends with ${this.moved.runId}@${this.#head} here`);
      return;
    }
    await this.#write(rest, { snapshot });
  }

  /** Whether everything has come. @throws HOLDFAST_ID_TAKEN when there is more here */
  finish(): void {
    const { head, runId, end } = this.moved;
    if (this.#head < head) throw taken(this.moved, `it ends with ${runId}@${this.#head} here`);
    // What a fork stands on may go on here: the fork is none the wiser.
    const isBase = end === 'hidden';
    if (this.#head > head && !isBase) throw taken(this.moved, `it has gone on to ${runId}@${this.#head} here`);
  }

  /** Makes the run what it is to be. Until then nobody has seen it. */
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
    if (outcome.why === 'exists') throw beaten(runId);
    throw noBase(runId, `${forkedAt?.runId}@${forkedAt?.seq}`);
  }

  async #write(
    entries: readonly NewEntry[],
    { snapshot, header, end = null }: { snapshot?: Snapshot | undefined; header?: HeaderState; end?: CopyPart['end'] },
  ): Promise<void> {
    const { runId, floor, updatedAt: at } = this.moved;
    const writer = { by: 'copier', of: null, floor, end, at } as const;
    const outcome = await this.#store.commit({ runId, writer, expect: this.#head, entries, header, snapshot });
    if (!outcome.ok) throw beaten(runId);
    this.#head += entries.length;
  }

  async #compare(after: number, entries: readonly NewEntry[]): Promise<void> {
    const { runId } = this.moved;
    const floor = this.#found === undefined ? 0 : beginOf(this.#found);
    // What was pruned here cannot be compared, and was the same when it was there.
    const from = Math.max(after, Math.min(floor, after + entries.length));
    const kept = entries.slice(from - after);
    if (kept.length === 0) return;
    const there = await this.#store.records({ runId, after: from, order: 'oldest', limit: kept.length });
    kept.forEach((entry, at) => {
      const found = there[at];
      const isSame = found?.seq === from + at + 1 && encodeEntry(found) === encodeEntry(entry);
      if (!isSame) throw taken(this.moved, `${runId}@${from + at + 1} is another record here`);
    });
  }

  async #hasSnapshot({ covers, seq, head, body }: Snapshot): Promise<boolean> {
    const { runId, kind } = this.moved;
    const before = { covers, seq: seq + 1 };
    const [found] = await this.#store.snapshots({ runId, covers, before, limit: 1, bodies: true });
    if (found?.covers !== covers || found.seq !== seq) return false;
    if (found.ok && sameValue(found.head, head) && sameValue(found.body, body)) return true;
    // Of a run that the engine executes it is a cache, written again where it is not the same.
    if (kind === 'graph') return false;
    throw taken(this.moved, `the checkpoint ${runId}@${seq} is another here`);
  }
}

/** Whether there is something to write: a draft, or a hidden run that is to be seen or to go on further. */
function writesTo(found: RunHeader, { end, head }: MovedRun, there: number): boolean {
  if (!found.hidden) return false;
  return found.draft === true || end === 'seen' || there < head;
}

function fixedDifference(found: RunHeader, moved: MovedRun): string | undefined {
  const { kind, graph, version, forkedAt, parentId, createdAt, floor } = moved;
  if (found.kind !== kind || found.graph !== graph) return `it is a run of ${found.graph || 'a journal run'} here`;
  if (found.version !== version) return `it was begun by version ${found.version} of ${graph} here`;
  if (found.forkedAt?.runId !== forkedAt?.runId || found.forkedAt?.seq !== forkedAt?.seq)
    return 'it stands on another base here';
  if (found.parentId !== parentId)
    return `it is ${found.parentId === null ? "nobody's child" : `a child of ${found.parentId}`} here`;
  if (found.createdAt !== createdAt) return `it was begun at ${new Date(found.createdAt).toISOString()} here`;
  if (found.draft === true && found.floor !== floor) return 'a half of it is here that was pruned otherwise';
  return undefined;
}

function taken({ runId }: MovedRun, why: string): Error {
  return holdfastError(
    'HOLDFAST_ID_TAKEN',
    `There is a run ${runId} already, and ${why}. Nothing of it was changed. Delete it, or give the run that comes another id.`,
    { details: { runId, why } },
  );
}

function noBase(runId: string, base: string): Error {
  return holdfastError(
    'HOLDFAST_ID_TAKEN',
    `Run ${runId} stands on ${base}, which was pruned or dropped here. Import it into another store.`,
    { details: { runId, base, why: 'its base was pruned' } },
  );
}

function beaten(runId: string): Error {
  return holdfastError(
    'HOLDFAST_CONFLICT',
    `Run ${runId} is brought into this store by somebody else too. Try again.`,
    {
      details: { runId },
    },
  );
}

/**
 * Takes away the half of a run that somebody left, and the halves that stand on it; one that something else stands on is
 * left as it is. Gives the runs that went.
 */
export async function discardDraft(store: CheckedStore, runId: string): Promise<readonly string[]> {
  const found = await anyHeader(store, runId);
  if (found?.draft !== true) return [];
  const gone: string[] = [];
  for await (const fork of allRuns(store, { forkOf: runId, hidden: true })) {
    gone.push(...(await discardDraft(store, fork.runId)));
  }
  const removed = await trimWhole(store, { runId, remove: true });
  return removed.ok ? [...gone, runId] : gone;
}
