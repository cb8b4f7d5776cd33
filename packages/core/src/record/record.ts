/** The kinds of records in a run's journal: a closed union, so that every reader is exhaustive. */
export const recordKinds = [
  'run-start',
  'task',
  'step',
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
  'resolve',
  'run-end',
  'fork',
  'migrate',
  'note',
  'checkpoint',
] as const;

/** What a record tells of. */
export type RecordKind = (typeof recordKinds)[number];

/** What anyone may append to a run that somebody else holds. */
export const guestKinds: ReadonlySet<RecordKind> = new Set<RecordKind>([
  'answer',
  'message',
  'cancel',
  'resolve',
  'note',
]);

/** What a user's own loop appends to its own run. */
export const loopKinds: ReadonlySet<RecordKind> = new Set<RecordKind>(['note', 'checkpoint', 'fork']);

/** Which side of an agent a record belongs to. */
export type RecordChannel = 'input' | 'output' | 'tool' | 'system' | `custom:${string}`;

/** A record that has no place in a journal yet. */
export interface NewEntry {
  readonly kind: RecordKind;
  /** Only an id that a user chose; such ids are indexed. */
  readonly id?: string | undefined;
  /** Default `system`. */
  readonly channel?: RecordChannel | undefined;
  /** When, in milliseconds since 1970. */
  readonly at: number;
  readonly tags?: readonly string[] | undefined;
  readonly meta?: Readonly<Record<string, unknown>> | undefined;
  readonly payload?: unknown;
}

/** Whether a record is nothing but a kind, a time and a payload, as most are. */
export function isBare({ id, channel, tags, meta }: NewEntry): boolean {
  return id === undefined && channel === undefined && tags === undefined && meta === undefined;
}

/** What the text of such a record says, where its payload is JSON. */
export interface BareEntry {
  readonly kind: RecordKind;
  readonly at: number;
  /** The JSON; undefined where there is no payload. */
  readonly payload: string | undefined;
}

/** The record that a new one will be, at its place. */
export function placeEntry(entry: NewEntry, run: string, seq: number): Entry {
  const { kind, at, id, channel = 'system', tags = noTags, meta = noMeta, payload } = entry;
  return { run, seq, kind, at, id, channel, tags, meta, payload };
}

const noTags: readonly string[] = [];
const noMeta = {};

/** A record at its place in a run's journal. */
export interface Entry {
  readonly run: string;
  readonly seq: number;
  readonly kind: RecordKind;
  readonly id: string | undefined;
  readonly channel: RecordChannel;
  readonly at: number;
  readonly tags: readonly string[];
  readonly meta: Readonly<Record<string, unknown>>;
  readonly payload: unknown;
}
