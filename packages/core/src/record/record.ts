/** The kinds of records in a journal. A closed union, so that every reader is exhaustive. */
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
  'log',
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

/** The kind of a record. */
export type RecordKind = (typeof recordKinds)[number];

/** The kinds that external writers may append without the lease. */
export const externalKinds: ReadonlySet<RecordKind> = new Set<RecordKind>([
  'answer',
  'message',
  'cancel',
  'settle',
  'note',
]);

/** The kinds that a user's code appends to a journal run. */
export const journalKinds: ReadonlySet<RecordKind> = new Set<RecordKind>(['note', 'checkpoint', 'fork']);

/**
 * Where a record comes from, seen from the agent.
 *
 * @example
 * ```ts
 * const source: RecordSource = 'custom:crawler'; // or input, output, tool, system
 * await engine.journal.append('trip', { source, payload: 'a page' });
 * ```
 */
export type RecordSource = 'input' | 'output' | 'tool' | 'system' | `custom:${string}`;

/** A record that has no position in a journal yet. */
export interface NewEntry {
  readonly kind: RecordKind;
  /** Only set if a user chose it; such ids are indexed. */
  readonly id?: string | undefined;
  /** Default `system`. */
  readonly source?: RecordSource | undefined;
  /** Milliseconds since 1970. */
  readonly at: number;
  readonly labels?: readonly string[] | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  readonly payload?: unknown;
}

/** Gives a new record its position and its defaults. */
export function placeEntry(entry: NewEntry, runId: string, seq: number): Entry {
  const { kind, at, id, source = 'system', labels = noLabels, meta = noMeta, payload } = entry;
  return { runId, seq, kind, at, id, source, labels, meta, payload };
}

const noLabels: readonly string[] = [];
const noMeta = {};

/** A record at its position in a run's journal. */
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
