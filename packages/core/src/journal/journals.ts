import type { Env } from '../env/env.ts';
import { holdfastError } from '../errors/holdfast-error.ts';
import type { Segment } from '../history/lineage.ts';
import { checkNewRecord, type NewRecord } from '../record/check-new-record.ts';
import type { Entry, NewEntry } from '../record/record.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import { formatCursor, parseCursor } from '../value/cursor.ts';
import { sameValue } from '../value/equal.ts';
import { frozenCopy } from '../value/frozen-copy.ts';
import { checkRunId } from '../value/id.ts';
import { type JournalRecord, matcherOf, type RecordMatch, toJournalRecord } from './journal-record.ts';
import { loadSegments } from './lineage.ts';
import { findEntry, readEntries } from './read-entries.ts';
import type { RunWriter } from './run-writer.ts';

/** The journals of all runs: appended to by anyone, read by anyone, in order and without gaps. */
export interface Journals {
  /** Appends a record and resolves with its cursor. The same id and content again returns the first cursor; the same id with other content is refused. */
  append(run: string, record: NewRecord): Promise<string>;
  /** The last n that match, oldest first. */
  tail(run: string, n: number, match?: RecordMatch): Promise<readonly JournalRecord[]>;
  /** All that match, oldest first, from the cursor on. */
  read(run: string, options?: RecordMatch & { readonly after?: string | undefined }): AsyncIterable<JournalRecord>;
}

interface JournalsOptions {
  readonly store: CheckedStore;
  readonly env: Env;
  readonly writer: RunWriter;
}

/** The journals of a store. */
export function createJournals({ store, env, writer }: JournalsOptions): Journals {
  return {
    async append(run, record) {
      checkRunId(run);
      const { id, channel, payload, tags, meta } = frozenCopy(checkNewRecord(record));
      const entry: NewEntry = { kind: 'note', at: env.clock.now(), id, channel, payload, tags, meta };
      return writer.write(run, async (header) => {
        const segments = header === undefined ? [] : await loadSegments(store, header);
        const known = id === undefined ? undefined : await findEntry(store, segments, id);
        if (known !== undefined) return { done: sameAgain(known, entry) };
        return { entries: [entry], answer: (seq) => formatCursor(run, seq) };
      });
    },

    async tail(run, n, match = {}) {
      const matches = matcherOf(match);
      if (!Number.isSafeInteger(n) || n < 0) {
        throw holdfastError('HOLDFAST_INVALID_OPTION', 'tail() takes how many records to give: 0, 1, 2, …');
      }
      const found: JournalRecord[] = [];
      const segments = await segmentsOfRun(store, run);
      if (n === 0) return found;
      for await (const entry of readEntries({ store, segments, order: 'newest' })) {
        if (matches(entry)) found.push(toJournalRecord(entry));
        if (found.length === n) break;
      }
      return found.toReversed();
    },

    async *read(run, { after, ...match } = {}) {
      const matches = matcherOf(match);
      const segments = await segmentsOfRun(store, run);
      const from = after === undefined ? 0 : placeIn(run, segments, after);
      for await (const entry of readEntries({ store, segments, order: 'oldest', after: from })) {
        if (matches(entry)) yield toJournalRecord(entry);
      }
    },
  };
}

async function segmentsOfRun(store: CheckedStore, run: string): Promise<readonly Segment[]> {
  const header = await store.header(checkRunId(run));
  return header === undefined ? [] : loadSegments(store, header);
}

/** A cursor of another run would silently read from the wrong place. */
function placeIn(run: string, segments: readonly Segment[], cursor: string): number {
  const place = parseCursor(cursor);
  const isOwn = place.run === run || segments.some((segment) => segment.run === place.run && place.seq <= segment.upTo);
  if (isOwn) return place.seq;
  throw holdfastError('HOLDFAST_INVALID_CURSOR', `The cursor ${cursor} is not in the journal of run ${run}.`, {
    details: { run, cursor },
  });
}

function sameAgain(known: Entry, given: NewEntry): string {
  const { channel = 'system', tags = [], meta = {}, payload } = given;
  const again = { kind: given.kind, channel, tags, meta, payload };
  const before = {
    kind: known.kind,
    channel: known.channel,
    tags: known.tags,
    meta: known.meta,
    payload: known.payload,
  };
  const cursor = formatCursor(known.run, known.seq);
  if (sameValue(before, again)) return cursor;
  throw holdfastError(
    'HOLDFAST_ID_TAKEN',
    `The id ${known.id} is taken by ${cursor}, which has other content. Choose another id, or append what is there.`,
    { details: { run: known.run, id: known.id, cursor } },
  );
}
