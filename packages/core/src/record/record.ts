/** The kinds of records in a run's journal: a closed union, so that every reader is exhaustive. */
export const recordKinds = [
  'run-start',
  'task',
  'superstep',
  'result',
  'intent',
  'wait',
  'answer',
  'message',
  'timer',
  'attempt',
  'emit',
  'turn',
  'pause',
  'resume',
  'cancel',
  'settle',
  'run-end',
  'fork',
  'migrate',
  'note',
  'checkpoint',
] as const;

/** What a record tells of. */
export type RecordKind = (typeof recordKinds)[number];

/** What anyone may append to a run that somebody else holds. */
export const externalKinds: ReadonlySet<RecordKind> = new Set<RecordKind>([
  'answer',
  'message',
  'cancel',
  'settle',
  'note',
]);

/** What a user's own loop appends to its own run. */
export const journalKinds: ReadonlySet<RecordKind> = new Set<RecordKind>(['note', 'checkpoint', 'fork']);

/** Which side of an agent a record belongs to. */
export type RecordSource = 'input' | 'output' | 'tool' | 'system' | `custom:${string}`;

/** A record that has no place in a journal yet. */
export interface NewEntry {
  readonly kind: RecordKind;
  /** Only an id that a user chose; such ids are indexed. */
  readonly id?: string | undefined;
  /** Default `system`. */
  readonly source?: RecordSource | undefined;
  /** When, in milliseconds since 1970. */
  readonly at: number;
  readonly labels?: readonly string[] | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  readonly payload?: unknown;
}

/** The record that a new one will be, at its place. */
export function placeEntry(entry: NewEntry, runId: string, seq: number): Entry {
  const { kind, at, id, source = 'system', labels = noLabels, meta = noMeta, payload } = entry;
  return { runId, seq, kind, at, id, source, labels, meta, payload };
}

const noLabels: readonly string[] = [];
const noMeta = {};

/** A record at its place in a run's journal. */
export interface Entry {
  readonly runId: string;
  readonly seq: number;
  readonly kind: RecordKind;
  readonly id: string | undefined;
  readonly source: RecordSource;
  readonly at: number;
  readonly labels: readonly string[];
  readonly meta: Readonly<Record<string, unknown>>;
  readonly payload: unknown;
}
