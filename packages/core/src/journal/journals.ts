import type { Env } from '../env/env.ts';
import { holdfastError } from '../errors/holdfast-error.ts';
import type { Segment } from '../history/lineage.ts';
import type { NewRecord } from '../record/check-new-record.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import { parseCursor } from '../value/cursor.ts';
import { checkRunId } from '../value/id.ts';
import { type AppendOptions, appendRecords } from './append-records.ts';
import { type JournalRecord, matcherOf, type RecordMatch, toJournalRecord } from './journal-record.ts';
import { readEntries } from './read-entries.ts';
import { loadJournal } from './run-journal.ts';
import type { RunWriter } from './run-writer.ts';

/**
 * The journals of all runs: anyone may append and read, in order and without gaps.
 *
 * @example
 * ```ts
 * const { journal } = engine;
 * await journal.append('trip', { source: 'input', payload: 'find a flight' });
 * console.log(await journal.tail('trip', 10));
 * ```
 */
export interface Journals {
  /**
   * Appends a record and resolves with its cursor. The same id and content again returns the first cursor; the same id with
   * different content is refused.
   *
   * @throws HOLDFAST_ID_TAKEN, HOLDFAST_CONFLICT when the run's last record is not the one that was expected
   */
  append(runId: string, record: NewRecord, options?: AppendOptions): Promise<string>;
  /** Appends several records in one commit, all of them or none. */
  append(runId: string, records: readonly NewRecord[], options?: AppendOptions): Promise<readonly string[]>;
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
  const context = { store, env, writer };
  function append(runId: string, record: NewRecord, options?: AppendOptions): Promise<string>;
  function append(runId: string, records: readonly NewRecord[], options?: AppendOptions): Promise<readonly string[]>;
  async function append(
    runId: string,
    given: NewRecord | readonly NewRecord[],
    options?: AppendOptions,
  ): Promise<string | readonly string[]> {
    const isList = Array.isArray(given);
    const records = isList ? (given as readonly NewRecord[]) : [given as NewRecord];
    const cursors = await appendRecords(context, runId, records, options);
    return isList ? cursors : (cursors[0] as string);
  }
  return {
    append,

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
