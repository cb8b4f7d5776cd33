import { holdfastError } from '../errors/holdfast-error.ts';
import { type Entry, type RecordSource, recordKinds } from '../record/record.ts';
import { formatCursor } from '../value/cursor.ts';

/** A record of a run's journal, as a user reads it. */
export interface JournalRecord {
  readonly runId: string;
  readonly seq: number;
  /** The id that was chosen, or `run@seq`. */
  readonly id: string;
  readonly kind: string;
  readonly source: RecordSource;
  readonly at: Date;
  readonly labels: readonly string[];
  readonly meta: Readonly<Record<string, unknown>>;
  readonly payload: unknown;
}

/** Which records to read: all conditions hold together. */
export interface RecordMatch {
  readonly label?: string | undefined;
  readonly source?: RecordSource | undefined;
  readonly kind?: string | undefined;
}

/** An entry of the journal as the user sees it. */
export function toJournalRecord({ runId, seq, id, kind, source, at, labels, meta, payload }: Entry): JournalRecord {
  return { runId, seq, id: id ?? formatCursor(runId, seq), kind, source, at: new Date(at), labels, meta, payload };
}

const kindNames: ReadonlySet<string> = new Set(recordKinds);

/** The test that a match describes. An unknown condition is an error, never "all". @throws HOLDFAST_INVALID_OPTION */
export function matcherOf(match: RecordMatch): (entry: Entry) => boolean {
  const { label, source, kind, ...rest } = match;
  const [stray] = Object.keys(rest);
  if (stray !== undefined) throw refused(`There is no filter ${JSON.stringify(stray)}; known are label, source, kind.`);
  if (label !== undefined && (typeof label !== 'string' || label === ''))
    throw refused('The filter label is a non-empty text.');
  if (source !== undefined && typeof source !== 'string') throw refused('The filter source is a text.');
  if (kind !== undefined && !kindNames.has(kind)) {
    throw refused(`The filter kind is one of ${recordKinds.join(', ')}.`);
  }
  return (entry) =>
    (label === undefined || entry.labels.includes(label)) &&
    (source === undefined || entry.source === source) &&
    (kind === undefined || entry.kind === kind);
}

function refused(message: string): Error {
  return holdfastError('HOLDFAST_INVALID_OPTION', message);
}
