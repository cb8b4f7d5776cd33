import type { Env } from '../env/env.ts';
import { type HoldfastError, holdfastError } from '../errors/holdfast-error.ts';
import type { Segment } from '../history/lineage.ts';
import { checkNewRecord, type NewRecord } from '../record/check-new-record.ts';
import type { Entry, NewEntry } from '../record/record.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import { formatCursor, parseCursor } from '../value/cursor.ts';
import { sameValue } from '../value/equal.ts';
import { frozenCopy } from '../value/frozen/frozen-copy.ts';
import { checkRunId } from '../value/id.ts';
import type { JournalRunOptions } from './checkpoint/checkpoint.ts';
import { loadJournal } from './lineage.ts';
import { entryAt, findEntry } from './read-entries.ts';
import { checkRunOptions, refuseRunOptions } from './run-options.ts';
import type { RunWriter } from './run-writer.ts';

/** On what condition to append, and what the run is found by. */
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
 * @throws HOLDFAST_CONFLICT when the run has another last record than expected, HOLDFAST_ID_TAKEN, HOLDFAST_INVALID_OPTION
 */
export async function appendRecords(
  { store, env, writer }: AppendContext,
  runId: string,
  records: readonly NewRecord[],
  options: AppendOptions = {},
): Promise<readonly string[]> {
  checkRunId(runId);
  const expect = expectedHead(runId, options.expect);
  const run = checkRunOptions(options);
  const at = env.clock.now();
  const entries = records.map((record) => entryOf(record, at));
  refuseTwice(entries);
  if (entries.length === 0) return [];
  return writer.writeOn(runId, {
    read: () => loadJournal(store, runId),
    decide: async (found) => {
      // Only chosen ids can already be there. What was appended before needs no condition any more.
      const known = await appendedBefore(store, found?.segments ?? [], entries);
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

function entryOf(record: NewRecord, at: number): NewEntry {
  const { id, source, payload, labels, meta } = frozenCopy(checkNewRecord(record));
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

/** The cursors of records that are all there already, one after another. @throws HOLDFAST_ID_TAKEN when others have an id */
async function appendedBefore(
  store: CheckedStore,
  segments: readonly Segment[],
  entries: readonly NewEntry[],
): Promise<readonly string[] | undefined> {
  for (const [index, { id }] of entries.entries()) {
    const known = id === undefined ? undefined : await findEntry(store, segments, id);
    if (known === undefined) continue;
    const first = known.seq - index;
    const cursors: string[] = [];
    for (const [offset, entry] of entries.entries()) {
      const there = offset === index ? known : await entryAt(store, segments, first + offset);
      if (there === undefined || !isSame(there, entry)) throw taken(known);
      cursors.push(formatCursor(there.runId, there.seq));
    }
    return cursors;
  }
  return undefined;
}

function isSame(known: Entry, given: NewEntry): boolean {
  const { id, source = 'system', labels = [], meta = {}, payload } = given;
  const again = { kind: given.kind, id, source, labels, meta, payload };
  const before = {
    kind: known.kind,
    id: known.id,
    source: known.source,
    labels: known.labels,
    meta: known.meta,
    payload: known.payload,
  };
  return sameValue(before, again);
}

function taken({ runId, seq, id }: Entry): HoldfastError {
  const cursor = formatCursor(runId, seq);
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
