import { HoldfastError } from '../errors/holdfast-error.ts';
import type { Entry } from '../record/record.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import type { RunHeader } from '../store/contract/run.ts';
import { isCorruption } from '../store/is-corruption.ts';
import { formatCursor } from '../value/cursor.ts';
import { allRuns, anyHeader } from './all-runs.ts';
import { savedHead } from './checkpoint/saved-checkpoint.ts';
import { pagesOfIds } from './pages-of-ids.ts';
import { walkSnapshots } from './walk-snapshots.ts';

/**
 * Something in a store that is not what was written.
 *
 * @example
 * ```ts
 * for (const { where, what } of (await engine.verify()).corruption) console.error(where, what);
 * ```
 */
export interface Corruption {
  readonly where: string;
  readonly what: string;
}

/**
 * The result of verifying a store.
 *
 * @example
 * ```ts
 * const { ok, records } = await engine.verify();
 * ```
 */
export interface VerifyReport {
  readonly ok: boolean;
  readonly records: number;
  readonly snapshots: number;
  readonly corruption: readonly Corruption[];
}

/** Few at a time, because snapshots are read whole. */
const snapshotPage = 4;
const recordPage = 256;
/** Checksums cover the stored bytes, so no key is needed. Where there is one, the content is read as well. */
const keyless = { closedIsFine: true } as const;

/** Reads every record, snapshot and id of a store, and reports what is corrupt or missing. */
export async function verifyStore(store: CheckedStore): Promise<VerifyReport> {
  const tally = new Tally();
  const onCorrupt = (error: HoldfastError): void => tally.tell('the list of runs', error);
  for (const hidden of [false, true]) {
    await tally.guard('the list of runs', async () => {
      for await (const header of allRuns(store, { hidden }, { onCorrupt })) {
        await tally.guard(`the base of ${header.runId}`, () => verifyBase(store, header, tally));
        await verifyRecords(store, header, tally);
        await verifySnapshots(store, header, tally);
        if (header.kind === 'journal') await verifyBases(store, header, tally);
        await verifyIds(store, header, tally);
      }
    });
  }
  return tally.report();
}

/** Whether an error is about what was read, and not about reading it. */
function isReportable(error: unknown): error is HoldfastError {
  if (isCorruption(error)) return true;
  return HoldfastError.is(error, 'HOLDFAST_WRONG_KEY') || HoldfastError.is(error, 'HOLDFAST_UNKNOWN_FORMAT');
}

class Tally {
  records = 0;
  snapshots = 0;
  readonly #corruption = new Map<string, string>();

  add(where: string, what: string): void {
    if (!this.#corruption.has(where)) this.#corruption.set(where, what);
  }

  /** Reports corruption that a read finds; true when it finds none. Other failures are thrown. */
  async guard(where: string, read: () => Promise<void>): Promise<boolean> {
    try {
      await read();
      return true;
    } catch (error) {
      if (!isReportable(error)) throw error;
      this.tell(where, error);
      return false;
    }
  }

  tell(where: string, { details, message }: HoldfastError): void {
    const found = details['where'] ?? details['path'];
    this.add(typeof found === 'string' ? found : where, message);
  }

  report(): VerifyReport {
    const corruption = [...this.#corruption].map(([where, what]) => ({ where, what }));
    return { ok: corruption.length === 0, records: this.records, snapshots: this.snapshots, corruption };
  }
}

async function verifyBase(store: CheckedStore, { runId, forkedAt }: RunHeader, tally: Tally): Promise<void> {
  if (forkedAt === null) return;
  if ((await anyHeader(store, forkedAt.runId)) !== undefined) return;
  tally.add(runId, `Run "${runId}" was forked from ${formatCursor(forkedAt.runId, forkedAt.seq)}, which is missing.`);
}

/** The journal has to be whole from the floor to the head; a deleted run may end anywhere past its last fork. */
async function verifyRecords(store: CheckedStore, header: RunHeader, tally: Tally): Promise<void> {
  const { runId, head, floor, forkedAt, hidden } = header;
  let seq = Math.max(floor, forkedAt?.seq ?? 0);
  while (seq < head) {
    let found = 0;
    const whole = await tally.guard(formatCursor(runId, seq + 1), async () => {
      const page = await store.records({ runId, after: seq, order: 'oldest', limit: recordPage }, keyless);
      if (page[0] !== undefined && page[0].seq !== seq + 1)
        tally.add(formatCursor(runId, seq + 1), missing(runId, seq + 1));
      for (const entry of page) await verifyId(store, entry, tally);
      found = page.length;
      seq = page.at(-1)?.seq ?? seq;
    });
    tally.records += found;
    if (!whole) seq = await verifyOneByOne(store, { runId, after: seq, upTo: Math.min(head, seq + recordPage) }, tally);
    else if (found === 0) break;
  }
  if (seq < head && !hidden) tally.add(formatCursor(runId, seq + 1), missing(runId, seq + 1));
}

interface Span {
  readonly runId: string;
  readonly after: number;
  readonly upTo: number;
}

/** Reads a corrupt page record by record; returns the seq to continue from. */
async function verifyOneByOne(store: CheckedStore, { runId, after, upTo }: Span, tally: Tally): Promise<number> {
  for (let seq = after + 1; seq <= upTo; seq += 1) {
    await tally.guard(formatCursor(runId, seq), async () => {
      const [record] = await store.records(
        { runId, after: seq - 1, before: seq + 1, order: 'oldest', limit: 1 },
        keyless,
      );
      if (record?.seq !== seq) tally.add(formatCursor(runId, seq), missing(runId, seq));
      else tally.records += 1;
    });
  }
  return upTo;
}

async function verifySnapshots(store: CheckedStore, { runId }: RunHeader, tally: Tally): Promise<void> {
  await tally.guard(`snapshots of ${runId}`, async () => {
    let before: { readonly covers: number; readonly seq: number } | undefined;
    for (;;) {
      const page = await store.snapshots({ runId, before, limit: snapshotPage, bodies: true }, keyless);
      for (const snapshot of page) {
        if (snapshot.ok) tally.snapshots += 1;
        else tally.tell(`snapshots of ${runId}`, snapshot.error);
      }
      const last = page.at(-1);
      if (last === undefined || page.length < snapshotPage) return;
      before = { covers: last.covers, seq: last.seq };
    }
  });
}

/** A checkpoint that was stored as a change needs the one that it changes. Heads that nobody can read here are left out. */
async function verifyBases(store: CheckedStore, { runId }: RunHeader, tally: Tally): Promise<void> {
  const own = { runId, after: 0, upTo: Number.MAX_SAFE_INTEGER, floor: 0 };
  const there = new Set<number>();
  const needed = new Map<number, number>();
  await tally.guard(`snapshots of ${runId}`, async () => {
    for await (const placed of walkSnapshots({ store, segments: [own] }, keyless)) {
      there.add(placed.snapshot.seq);
      const base = savedHead(placed)?.base;
      if (base !== undefined) needed.set(placed.snapshot.seq, base.seq);
    }
  });
  for (const [seq, base] of needed) {
    if (there.has(base)) continue;
    const place = formatCursor(runId, seq);
    tally.add(place, `Checkpoint ${place} is a change of ${formatCursor(runId, base)}, which is missing.`);
  }
}

/** Every id has to be what was written, also those of trimmed records. */
async function verifyIds(store: CheckedStore, { runId }: RunHeader, tally: Tally): Promise<void> {
  await tally.guard(`ids of ${runId}`, async () => {
    const pages = pagesOfIds(store, { runId }, keyless);
    while ((await pages.next()).done !== true);
  });
}

/** A record that its id does not lead to would be written again by a repeat. */
async function verifyId(store: CheckedStore, { runId, seq, id }: Entry, tally: Tally): Promise<void> {
  if (id === undefined) return;
  const [known] = await store.ids({ runId, id, limit: 1 }, keyless);
  if (known === undefined || known.seq < seq)
    tally.add(formatCursor(runId, seq), `The id "${id}" does not lead to its record ${formatCursor(runId, seq)}.`);
}

function missing(runId: string, seq: number): string {
  return `Record ${formatCursor(runId, seq)} is missing.`;
}
