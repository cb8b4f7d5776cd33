import type { JournalRecord } from 'holdfast';

/** The error of a record. */
interface RecordError {
  readonly code?: string;
  readonly name?: string;
  readonly message?: string;
}

/** What a timeline reads of the records of a graph run. Which fields there are depends on the record's kind. */
export interface RecordFields {
  readonly next?: readonly string[];
  readonly counts?: Readonly<Record<string, number>>;
  readonly delta?: Readonly<Record<string, unknown>>;
  readonly node?: string;
  readonly nodes?: readonly string[];
  readonly item?: number;
  readonly name?: string;
  readonly n?: number;
  readonly after?: number;
  readonly type?: string;
  readonly take?: number;
  readonly error?: RecordError;
  readonly retryAt?: number;
  readonly id?: string;
  readonly kind?: string;
  readonly show?: unknown;
  readonly schema?: unknown;
  readonly until?: number;
  readonly child?: string;
  readonly answer?: number;
  readonly again?: unknown;
  readonly wait?: string;
  readonly key?: string;
  readonly of?: number;
  readonly by?: string;
  readonly value?: unknown;
  readonly checked?: boolean;
  readonly refused?: RecordError;
  readonly status?: string;
}

/** The fields of a record. */
export function fieldsOf({ payload }: Pick<JournalRecord, 'payload'>): RecordFields {
  return typeof payload === 'object' && payload !== null ? payload : {};
}

/** What the first record after a takeover says about it. */
export interface TakeoverMark {
  readonly worker: string;
  readonly from: string | null;
  readonly noticed: 'lease' | 'death' | null;
  readonly fence: number;
  readonly at: number;
}

/** The takeover before this record, if there was one. */
export function takeoverOf({ meta }: Pick<JournalRecord, 'meta'>): TakeoverMark | undefined {
  return meta['takeover'] as TakeoverMark | undefined;
}
