import type { Env } from '../env/env.ts';
import { holdfastError } from '../errors/holdfast-error.ts';
import type { Segment } from '../history/lineage.ts';
import { checkNewRecord, type NewRecord } from '../record/check-new-record.ts';
import { contentOf } from '../record/content-of.ts';
import type { NewEntry } from '../record/record.ts';
import type { KnownId } from '../store/check/known-id.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import type { Located } from '../store/contract/read.ts';
import { formatCursor, parseCursor } from '../value/cursor.ts';
import { frozenCopy } from '../value/frozen/frozen-copy.ts';
import { checkRunId } from '../value/id.ts';
import { type JournalRecord, matcherOf, type RecordMatch, toJournalRecord } from './journal-record.ts';
import { loadJournal } from './lineage.ts';
import { readEntries } from './read-entries.ts';
import type { RunWriter } from './run-writer.ts';

/** The journals of all runs: anyone may append and read, in order and without gaps. */
export interface Journals {
  /** Appends a record and resolves with its cursor. The same id and content again returns the first cursor; the same id with different content is refused. */
  append(runId: string, record: NewRecord): Promise<string>;
  /** The last n that match, oldest first. */
  tail(runId: string, n: number, match?: RecordMatch): Promise<readonly JournalRecord[]>;
  /** All that match after the cursor, oldest first. */
  read(runId: string, options?: RecordMatch & { readonly after?: string | undefined }): AsyncIterable<JournalRecord>;
}

interface JournalsOptions {
  readonly store: CheckedStore;
  readonly env: Env;
  readonly writer: RunWriter;
}

/** The journals of a store. */
export function createJournals({ store, env, writer }: JournalsOptions): Journals {
  return {
    async append(runId, record) {
      checkRunId(runId);
      const { id, source, payload, labels, meta } = frozenCopy(checkNewRecord(record, store.bounds));
      const entry: NewEntry = { kind: 'note', at: env.clock.now(), id, source, payload, labels, meta };
      return writer.writeOn(runId, {
        read: () => loadJournal(store, runId, { id }),
        decide: (found) => {
          // Only a chosen id can already be there.
          if (found?.known !== undefined) return { done: sameAgain(found.known, entry) };
          return { entries: [entry], answer: (seq: number) => formatCursor(runId, seq) };
        },
      });
    },

    async tail(runId, n, match = {}) {
      const matches = matcherOf(match);
      if (!Number.isSafeInteger(n) || n < 0) {
        throw holdfastError('HOLDFAST_INVALID_OPTION', 'The count of tail() must be a whole number, 0 or more.');
      }
      const found: JournalRecord[] = [];
      const segments = await segmentsOfRun(store, runId);
      if (n === 0) return found;
      for await (const entry of readEntries({ store, segments, order: 'newest' })) {
        if (matches(entry)) found.push(toJournalRecord(entry));
        if (found.length === n) break;
      }
      return found.toReversed();
    },

    async *read(runId, { after, ...match } = {}) {
      const matches = matcherOf(match);
      const segments = await segmentsOfRun(store, runId);
      const from = after === undefined ? 0 : placeIn(runId, segments, after);
      for await (const entry of readEntries({ store, segments, order: 'oldest', after: from })) {
        if (matches(entry)) yield toJournalRecord(entry);
      }
    },
  };
}

async function segmentsOfRun(store: CheckedStore, runId: string): Promise<readonly Segment[]> {
  return (await loadJournal(store, checkRunId(runId)))?.segments ?? [];
}

/** A cursor of another run would silently read from the wrong place. */
function placeIn(runId: string, segments: readonly Segment[], cursor: string): number {
  const place = parseCursor(cursor);
  const isOwn =
    place.runId === runId || segments.some((segment) => segment.runId === place.runId && place.seq <= segment.upTo);
  if (isOwn) return place.seq;
  throw holdfastError('HOLDFAST_INVALID_CURSOR', `Cursor ${cursor} does not belong to the journal of run "${runId}".`, {
    details: { runId, cursor },
  });
}

function sameAgain({ runId, value: { seq, content } }: Located<KnownId>, given: NewEntry): string {
  const cursor = formatCursor(runId, seq);
  if (content === contentOf(given)) return cursor;
  throw holdfastError(
    'HOLDFAST_ID_TAKEN',
    `Record ${cursor} already has the id "${given.id}" with different content. Use another id.`,
    { details: { runId, id: given.id, cursor } },
  );
}
