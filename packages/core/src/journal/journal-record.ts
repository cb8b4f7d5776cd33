import { holdfastError } from '../errors/holdfast-error.ts';
import { type Entry, type RecordSource, recordKinds } from '../record/record.ts';
import { formatCursor } from '../value/cursor.ts';
import { aliasOf } from './checkpoint/alias.ts';

/**
 * A record of a run's journal, as users see it.
 *
 * @example
 * ```ts
 * const print = ({ seq, source, payload }: JournalRecord): void => console.log(seq, source, payload);
 * for await (const record of engine.journal.read('trip')) print(record);
 * ```
 */
export interface JournalRecord {
  readonly runId: string;
  readonly seq: number;
  /** The id that it was appended with, or `run@seq`. */
  readonly id: string;
  readonly kind: string;
  readonly source: RecordSource;
  readonly at: Date;
  readonly labels: readonly string[];
  readonly meta: Readonly<Record<string, unknown>>;
  readonly payload: unknown;
}

/**
 * Which records to read; all conditions must hold.
 *
 * @example
 * ```ts
 * const searches: RecordMatch = { source: 'tool', label: 'search' };
 * for await (const { payload } of engine.journal.read('trip', searches)) console.log(payload);
 * ```
 */
export interface RecordMatch {
  readonly label?: string | undefined;
  readonly source?: RecordSource | undefined;
  readonly kind?: string | undefined;
}

/** An entry as users see it. */
export function toJournalRecord(entry: Entry): JournalRecord {
  const { runId, seq, kind, source, at, labels, meta, payload } = entry;
  const id = aliasOf(entry);
  return { runId, seq, id: id ?? formatCursor(runId, seq), kind, source, at: new Date(at), labels, meta, payload };
}

const kindNames: ReadonlySet<string> = new Set(recordKinds);

/** Returns the predicate for a match. An unknown condition is an error: it must not match everything. @throws HOLDFAST_INVALID_OPTION */
export function matcherOf(match: RecordMatch): (entry: Entry) => boolean {
  const { label, source, kind, ...rest } = match;
  const [unknown] = Object.keys(rest);
  if (unknown !== undefined)
    throw invalid(`No filter is named ${JSON.stringify(unknown)}. The filters are label, source and kind.`);
  if (label !== undefined && (typeof label !== 'string' || label === ''))
    throw invalid('The filter label must be a string that is not empty.');
  if (source !== undefined && typeof source !== 'string') throw invalid('The filter source must be a string.');
  if (kind !== undefined && !kindNames.has(kind)) {
    throw invalid(`The filter kind must be one of ${recordKinds.join(', ')}.`);
  }
  return (entry) =>
    (label === undefined || entry.labels.includes(label)) &&
    (source === undefined || entry.source === source) &&
    (kind === undefined || entry.kind === kind);
}

function invalid(message: string): Error {
  return holdfastError('HOLDFAST_INVALID_OPTION', message);
}
