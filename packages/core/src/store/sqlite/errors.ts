import { isOutOfRange } from './connection/big-integers.ts';

/**
 * What a failure of SQLite means for us. `logic`: a statement that is right cannot be carried out, because something
 * that it names is not there.
 */
export type Failure = 'busy' | 'full' | 'io' | 'corrupt' | 'foreign' | 'logic' | 'readonly' | 'other';

interface ResultCode {
  readonly number: number;
  readonly name: string;
  readonly text: string;
  readonly failure: Failure;
}

/** SQLite's primary result codes, as the drivers tell them: by number, by name, or only by text. */
const codes: readonly ResultCode[] = [
  { number: 1, name: 'SQLITE_ERROR', text: 'SQL logic error', failure: 'logic' },
  { number: 5, name: 'SQLITE_BUSY', text: 'database is locked', failure: 'busy' },
  { number: 6, name: 'SQLITE_LOCKED', text: 'database table is locked', failure: 'busy' },
  { number: 8, name: 'SQLITE_READONLY', text: 'attempt to write a readonly database', failure: 'readonly' },
  { number: 10, name: 'SQLITE_IOERR', text: 'disk I/O error', failure: 'io' },
  { number: 11, name: 'SQLITE_CORRUPT', text: 'database disk image is malformed', failure: 'corrupt' },
  { number: 13, name: 'SQLITE_FULL', text: 'database or disk is full', failure: 'full' },
  // Too many meet at the log at once.
  { number: 15, name: 'SQLITE_PROTOCOL', text: 'locking protocol', failure: 'busy' },
  { number: 26, name: 'SQLITE_NOTADB', text: 'file is not a database', failure: 'foreign' },
];

/** Tells failures of SQLite apart, whichever driver threw. */
export function failureOf(error: unknown): Failure {
  if (!(error instanceof Error)) return 'other';
  const { errcode, code } = error as { readonly errcode?: unknown; readonly code?: unknown };
  // An integer that no JavaScript number holds was never written by us.
  if (isOutOfRange(error)) return 'corrupt';
  return codes.find((known) => isOf(known, { errcode, code, message: error.message }))?.failure ?? 'other';
}

interface Told {
  readonly errcode: unknown;
  readonly code: unknown;
  readonly message: string;
}

function isOf({ number, name, text }: ResultCode, { errcode, code, message }: Told): boolean {
  // The extended code has the primary one in its low byte, and its name: SQLITE_IOERR_FSYNC is an SQLITE_IOERR.
  if (typeof errcode === 'number') return (errcode & 0xff) === number;
  if (code === 'ERR_SQLITE_ERROR') return message.startsWith(text);
  return typeof code === 'string' && (code === name || code.startsWith(`${name}_`));
}
