import type { Env } from '../env/env.ts';
import { type HoldfastError, holdfastError } from '../errors/holdfast-error.ts';
import type { Segment } from '../history/lineage.ts';
import { checkNewRecord, type NewRecord } from '../record/check-new-record.ts';
import { contentOf } from '../record/content-of.ts';
import type { NewEntry } from '../record/record.ts';
import type { KnownId } from '../store/check/known-id.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import type { Located } from '../store/contract/read.ts';
import type { Bounds } from '../value/bounds.ts';
import { checkOptions } from '../value/check/check-options.ts';
import { formatCursor, parseCursor } from '../value/cursor.ts';
import { frozenCopy } from '../value/frozen/frozen-copy.ts';
import { checkRunId } from '../value/id.ts';
import type { JournalRunOptions } from './checkpoint/checkpoint.ts';
import { findId } from './find-id.ts';
import { entryAt } from './read-entries.ts';
import { loadJournal, type RunJournal } from './run-journal.ts';
import { checkRunOptions, refuseRunOptions } from './run-options.ts';
import type { RunWriter } from './run-writer.ts';

/**
 * On what condition to append, and what the run is found by.
 *
 * @example
 * ```ts
 * await engine.journal.append('trip', { payload: 'find a flight' }, { expect: 0, tags: { user: 'ada' } });
 * ```
 */
export interface AppendOptions extends JournalRunOptions {
  /** The run's last record: its cursor or its seq, 0 for a run that does not exist yet. Otherwise nothing is appended. */
  readonly expect?: string | number | undefined;
}

/** What appending needs. */
export interface AppendContext {
  readonly store: CheckedStore;
  readonly env: Env;
  readonly writer: RunWriter;
}

/**
 * Appends records in one commit, all of them or none; resolves with their cursors.
 *
 * @throws HOLDFAST_CONFLICT when the run has another last record than expected, HOLDFAST_ID_TAKEN, HOLDFAST_INVALID_OPTION,
 * HOLDFAST_TOO_MANY
 */
export async function appendRecords(
  { store, env, writer }: AppendContext,
  runId: string,
  records: readonly NewRecord[],
  options: AppendOptions = {},
): Promise<readonly string[]> {
  checkRunId(runId);
  checkOptions('append()', options, { expect: true, tags: true, parentId: true });
  const expect = expectedHead(runId, options.expect);
  const run = checkRunOptions(options, store.bounds);
  const at = env.clock.now();
  const entries = records.map((record) => entryOf(record, at, store.bounds));
  refuseTwice(entries);
  if (entries.length === 0) return [];
  return writer.writeOn(runId, {
    read: () => loadJournal(store, runId, { id: entries[0]?.id }),
    decide: async (found) => {
      // Only chosen ids can already be there. What was appended before needs no condition any more.
      const known = found && (await appendedBefore(store, found, entries));
      if (known !== undefined) return { done: known };
      const head = found?.header.head ?? 0;
      if (expect !== undefined && expect !== head) throw unexpected(runId, expect, head);
      refuseRunOptions(runId, found?.header, run);
      return {
        entries,
        header: run.tags === undefined ? undefined : { tags: run.tags },
        parentId: run.parentId,
        answer: (first: number) => entries.map((_, index) => formatCursor(runId, first + index)),
      };
    },
  });
}

function entryOf(record: NewRecord, at: number, bounds: Bounds): NewEntry {
  const { id, source, payload, labels, meta } = frozenCopy(checkNewRecord(record, bounds));
  return { kind: 'note', at, id, source, payload, labels, meta };
}

function refuseTwice(entries: readonly NewEntry[]): void {
  const ids = entries.flatMap(({ id }) => (id === undefined ? [] : [id]));
  const twice = ids.find((id, index) => ids.indexOf(id) !== index);
  if (twice === undefined) return;
  throw holdfastError(
    'HOLDFAST_INVALID_OPTION',
    `Two of the records have the id "${twice}". Ids are unique in a run.`,
    {
      details: { id: twice },
    },
  );
}

function expectedHead(runId: string, expect: unknown): number | undefined {
  if (expect === undefined) return undefined;
  if (typeof expect === 'number' && Number.isSafeInteger(expect) && expect >= 0) return expect;
  const place = parseCursor(expect);
  if (place.runId === runId) return place.seq;
  throw holdfastError(
    'HOLDFAST_INVALID_CURSOR',
    `Cursor ${formatCursor(place.runId, place.seq)} does not belong to the journal of run "${runId}".`,
    { details: { runId, cursor: expect } },
  );
}

/** The cursors of records that were all appended before, one after another. @throws HOLDFAST_ID_TAKEN when others have an id */
async function appendedBefore(
  store: CheckedStore,
  { segments, known }: RunJournal,
  entries: readonly NewEntry[],
): Promise<readonly string[] | undefined> {
  const ids: (Located<KnownId> | undefined)[] = [];
  for (const [at, { id }] of entries.entries()) {
    // The first id was asked for together with the run.
    if (at === 0) ids.push(known);
    else ids.push(id === undefined ? undefined : await findId(store, segments, id));
  }
  const index = ids.findIndex((found) => found !== undefined);
  const first = ids[index];
  if (first === undefined) return undefined;
  const cursors: string[] = [];
  for (const [offset, entry] of entries.entries()) {
    const seq = first.value.seq - index + offset;
    const runId =
      entry.id === undefined
        ? await holderOfSame(store, segments, { seq, entry })
        : holderOfId(ids[offset], { seq, entry });
    if (runId === undefined) throw taken(first, entries[index]?.id);
    cursors.push(formatCursor(runId, seq));
  }
  return cursors;
}

interface Expected {
  readonly seq: number;
  readonly entry: NewEntry;
}

/** The run that knows the id from this place and with this content; undefined if none does. */
function holderOfId(known: Located<KnownId> | undefined, { seq, entry }: Expected): string | undefined {
  const isSame = known?.value.seq === seq && known.value.content === contentOf(entry);
  return isSame ? known.runId : undefined;
}

/** The run that has the same record in this place, or had one that was pruned; undefined if none does. */
async function holderOfSame(
  store: CheckedStore,
  segments: readonly Segment[],
  { seq, entry }: Expected,
): Promise<string | undefined> {
  const there = seq < 1 ? undefined : await entryAt(store, segments, seq);
  if (there !== undefined)
    return there.id === undefined && contentOf(there) === contentOf(entry) ? there.runId : undefined;
  // Below its floor a lineage ends. Its neighbours' ids have to do.
  const last = segments.at(-1);
  return last !== undefined && seq >= 1 && seq <= last.floor ? last.runId : undefined;
}

function taken({ runId, value }: Located<KnownId>, id: string | undefined): HoldfastError {
  const cursor = formatCursor(runId, value.seq);
  return holdfastError(
    'HOLDFAST_ID_TAKEN',
    `Record ${cursor} already has the id "${id}" with different content. Use another id.`,
    { details: { runId, id, cursor } },
  );
}

function unexpected(runId: string, expect: number, head: number): HoldfastError {
  return holdfastError(
    'HOLDFAST_CONFLICT',
    `Nothing was appended to run "${runId}": its last record is ${head}, not ${expect}. Read what is new, and decide again.`,
    { details: { runId, expect, head } },
  );
}
