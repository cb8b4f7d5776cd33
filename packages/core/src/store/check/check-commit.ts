import { type ErrorDetails, type HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { guestKinds, loopKinds, type NewEntry, type RecordKind } from '../../record/record.ts';
import { checkRecordId, checkRunId } from '../../value/id.ts';
import type { Batch, CopyPart, HeaderState, NewRun, SnapshotKey } from '../contract.ts';

/**
 * Who writes. An owner holds the run's lease and names its fence; a guest is anyone else; a loop is a user's own loop
 * on its own run; a creator makes the run; a copier brings a run over from elsewhere, as `CopyPart` says.
 */
export type Writer =
  | { readonly by: 'owner'; readonly fence: number; readonly release?: boolean | undefined }
  | { readonly by: 'guest' }
  | { readonly by: 'loop' }
  | { readonly by: 'creator'; readonly of: NewRun }
  | (CopyPart & { readonly by: 'copier'; readonly of: NewRun | null; readonly at: number });

/** A snapshot to write: how much it covers, a head to list by and the body. Its seq is its commit's last record's. */
export interface NewSnapshot {
  readonly covers: number;
  readonly head: unknown;
  readonly body: unknown;
  /** Of a copied one: its place. */
  readonly seq?: number | undefined;
}

/** One change of one run, as the layers above the store ask for it. */
export interface Commit {
  readonly run: string;
  readonly writer: Writer;
  /** The head that the writer knows. */
  readonly expect: number;
  readonly entries: readonly NewEntry[];
  readonly header?: Partial<HeaderState> | undefined;
  readonly snapshot?: NewSnapshot | undefined;
  /** When it is made, where that was looked up already. Default: now. */
  readonly at?: number | undefined;
}

const headerKeys = new Set(['status', 'step', 'frontier', 'waits', 'wakeAt', 'tags']);

/** Refuses what no store may be asked for, before anything is encoded. @throws HOLDFAST_INVALID_ID, HOLDFAST_STORE_CONTRACT */
export function checkCommit({ run, writer, expect, entries, header = {}, snapshot }: Commit): void {
  checkRunId(run);
  if (!Number.isSafeInteger(expect) || expect < 0) throw wrong(run, 'expects a head that is not a seq', { expect });
  if (entries.length === 0 && writer.by !== 'copier') throw wrong(run, 'has no record');
  for (const { id, kind } of entries) {
    if (id !== undefined) checkRecordId(id);
    if (!mayWrite(writer, kind)) throw wrong(run, `writes a ${kind} record as ${writer.by}`);
  }
  // Without an array of the keys: every commit is looked at.
  for (const key in header) {
    if (Object.hasOwn(header, key) && !headerKeys.has(key))
      throw wrong(run, `changes ${key}, which is not in the header`);
  }
  if (writer.by === 'guest' && ('frontier' in header || 'step' in header)) throw wrong(run, 'moves the run as a guest');
  if (writer.by === 'guest' && snapshot !== undefined) throw wrong(run, 'writes a snapshot as a guest');
  if (writer.by === 'creator') checkCreation({ run, of: writer.of, floor: 0, expect, header });
  if (writer.by === 'copier' && writer.of !== null) {
    checkCreation({ run, of: writer.of, floor: writer.floor, expect, header });
  }
  if (snapshot !== undefined && !isCovered(snapshot.covers, expect + entries.length)) {
    throw wrong(run, 'has a snapshot that covers more than its journal', { covers: snapshot.covers });
  }
}

function wrong(run: string, what: string, details: ErrorDetails = {}): HoldfastError {
  return holdfastError('HOLDFAST_STORE_CONTRACT', `A commit of run ${run} ${what}.`, { details: { run, ...details } });
}

function mayWrite(writer: Writer, kind: RecordKind): boolean {
  if (writer.by === 'guest') return guestKinds.has(kind);
  if (writer.by === 'loop' || (writer.by === 'creator' && writer.of.loop)) return loopKinds.has(kind);
  return true;
}

interface Creation {
  readonly run: string;
  readonly of: NewRun;
  readonly floor: number;
  readonly expect: number;
  readonly header: Partial<HeaderState>;
}

function checkCreation({ run, of, floor, expect, header }: Creation): void {
  if (of.base !== null) checkRunId(of.base.run);
  if (of.parent !== null) checkRunId(of.parent);
  if (expect !== Math.max(of.base?.seq ?? 0, floor)) throw wrong(run, 'creates it at another seq than its base');
  if (Object.keys(header).length !== headerKeys.size) throw wrong(run, 'creates it without a whole header');
  if (of.loop && (of.worker !== null || header.wakeAt !== null)) throw wrong(run, 'lets an own loop be claimed');
}

function isCovered(covers: SnapshotKey['covers'], head: Batch['expect']): boolean {
  return Number.isSafeInteger(covers) && covers >= 0 && covers <= head;
}
