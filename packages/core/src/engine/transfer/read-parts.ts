import { holdfastError } from '../../errors/holdfast-error.ts';
import { pagesOfIds } from '../../journal/pages-of-ids.ts';
import type { NewSnapshot } from '../../store/check/check-commit.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { SnapshotKey } from '../../store/contract/commit.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { formatCursor } from '../../value/cursor.ts';
import { beginOf, type Part } from './moved-run.ts';

/** Enough records to be worth a commit, few enough to need little memory. */
const recordPage = 64;
const keyPage = 256;

interface ReadPartsOptions {
  readonly store: CheckedStore;
  readonly header: RunHeader;
  /** The last record to read. */
  readonly upTo: number;
  /** Only the snapshots that are needed to read the run. */
  readonly onlyNeeded?: boolean | undefined;
}

/**
 * Reads a run in pieces. Each snapshot comes with the record at its place, so none is ever ahead of the journal.
 *
 * @throws HOLDFAST_CORRUPT, HOLDFAST_CONFLICT when the run is pruned meanwhile
 */
export async function* readParts(options: ReadPartsOptions): AsyncGenerator<Part> {
  const { store, header, upTo } = options;
  const { runId } = header;
  const keys = await snapshotKeys(options);
  let after = beginOf(header);
  let next = 0;
  const below = after;
  for await (const ids of pagesOfIds(store, { runId, upTo: below })) yield { after, entries: [], ids };
  for (; (keys[next]?.seq ?? Number.POSITIVE_INFINITY) <= below; next += 1) {
    yield { after, entries: [], snapshot: await readSnapshot(store, header, keys[next] as SnapshotKey) };
  }
  while (after < upTo) {
    const key = keys[next];
    const last = Math.min(after + recordPage, upTo, key?.seq ?? upTo);
    const page = await store.records({ runId, after, before: last + 1, order: 'oldest', limit: recordPage });
    if (page.length !== last - after) throw disappeared(runId, after + 1);
    const isAtKey = key?.seq === last;
    yield { after, entries: page, snapshot: isAtKey ? await readSnapshot(store, header, key) : undefined };
    after = last;
    if (isAtKey) next += 1;
    for (; keys[next]?.seq === after; next += 1) {
      yield { after, entries: [], snapshot: await readSnapshot(store, header, keys[next] as SnapshotKey) };
    }
  }
}

/** In the order of the journal. */
async function snapshotKeys({ store, header, upTo, onlyNeeded }: ReadPartsOptions): Promise<readonly SnapshotKey[]> {
  const { runId, kind, floor } = header;
  const keys: SnapshotKey[] = [];
  let before: SnapshotKey | undefined;
  for (;;) {
    const page = await store.snapshots({ runId, before, limit: keyPage, bodies: false });
    for (const { covers, seq, ...rest } of page) {
      const isFloor = floor > 0 && covers === floor;
      if (seq > upTo || (onlyNeeded === true && kind === 'graph' && !isFloor)) continue;
      // Without a snapshot, a graph run's state can be folded from its journal; but not at a floor, and not a journal run's.
      if (!rest.ok && kind === 'graph' && !isFloor) continue;
      keys.push({ covers, seq });
    }
    const last = page.at(-1);
    if (last === undefined || page.length < keyPage) break;
    before = { covers: last.covers, seq: last.seq };
  }
  return keys.toSorted((a, b) => a.seq - b.seq || a.covers - b.covers);
}

async function readSnapshot(
  store: CheckedStore,
  { runId, kind, floor }: RunHeader,
  { covers, seq }: SnapshotKey,
): Promise<(NewSnapshot & { readonly seq: number }) | undefined> {
  const before = { covers, seq: seq + 1 };
  const [found] = await store.snapshots({ runId, covers, before, limit: 1, bodies: true });
  if (found?.covers !== covers || found.seq !== seq) throw disappeared(runId, seq);
  if (found.ok) return { covers, seq, head: found.head, body: found.body };
  if (kind === 'journal' || covers === floor) throw found.error;
  return undefined;
}

function disappeared(runId: string, seq: number): Error {
  return holdfastError(
    'HOLDFAST_CONFLICT',
    `Record ${formatCursor(runId, seq)} disappeared while run "${runId}" was read. Someone is pruning or deleting the run: try again. If that does not help, run verify.`,
    { details: { runId, seq } },
  );
}

/** The seq of the last record kept: of a deleted run, only what its forks need. */
export async function lastKept(store: CheckedStore, header: RunHeader): Promise<number> {
  if (!header.hidden) return header.head;
  const [last] = await store.records({ runId: header.runId, order: 'newest', limit: 1 });
  return last?.seq ?? beginOf(header);
}
