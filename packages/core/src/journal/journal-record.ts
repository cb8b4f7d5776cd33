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
export function toJournalRecord({
  runId,
  seq,
  id,
  kind,
  source: channel,
  at,
  labels: tags,
  meta,
  payload,
}: Entry): JournalRecord {
  return {
    runId,
    seq,
    id: id ?? formatCursor(runId, seq),
    kind,
    source: channel,
    at: new Date(at),
    labels: tags,
    meta,
    payload,
  };
}

const kindNames: ReadonlySet<string> = new Set(recordKinds);

/** The test that a match describes. An unknown condition is an error, never "all". @throws HOLDFAST_INVALID_OPTION */
export function matcherOf(match: RecordMatch): (entry: Entry) => boolean {
  const { label: tag, source: channel, kind, ...rest } = match;
  const [stray] = Object.keys(rest);
  if (stray !== undefined) throw refused(`There is no filter ${JSON.stringify(stray)}; known are tag, channel, kind.`);
  if (tag !== undefined && (typeof tag !== 'string' || tag === ''))
    throw refused('The filter tag is a non-empty text.');
  if (channel !== undefined && typeof channel !== 'string') throw refused('The filter channel is a text.');
  if (kind !== undefined && !kindNames.has(kind)) {
    throw refused(`The filter kind is one of ${recordKinds.join(', ')}.`);
  }
  return (entry) =>
    (tag === undefined || entry.labels.includes(tag)) &&
    (channel === undefined || entry.source === channel) &&
    (kind === undefined || entry.kind === kind);
}

function refused(message: string): Error {
  return holdfastError('HOLDFAST_INVALID_OPTION', message);
}
