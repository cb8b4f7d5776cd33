import type { ErrorDetails } from '../../errors/error-details.ts';
import { type HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import { externalKinds, journalKinds, type NewEntry, type RecordKind } from '../../record/record.ts';
import { checkRecordId, checkRunId } from '../../value/id.ts';
import { printable } from '../../value/printable.ts';
import type { Batch, CopyPart, SnapshotKey } from '../contract/commit.ts';
import type { HeaderState, NewRun } from '../contract/run.ts';
import { unstorableText } from './check-header.ts';

/**
 * Who writes. An owner has the run's lease and passes its fence. A journal writer is a user's code on its journal run. A
 * creator creates the run. A copier copies a run from elsewhere (see `CopyPart`). Anyone else is an external writer.
 */
export type Writer =
  | { readonly by: 'owner'; readonly fence: number; readonly release?: boolean | undefined }
  | { readonly by: 'external' }
  | { readonly by: 'journal' }
  | { readonly by: 'creator'; readonly of: NewRun }
  | (CopyPart & { readonly by: 'copier'; readonly of: NewRun | null; readonly at: number });

/** A snapshot to write: what it covers, a small head for listings, and the body. Its seq is that of the commit's last record. */
export interface NewSnapshot {
  readonly covers: number;
  readonly head: unknown;
  readonly body: unknown;
  /** Only for a copied snapshot: its seq. */
  readonly seq?: number | undefined;
}

/** One change of one run, before it is encoded. */
export interface Commit {
  readonly runId: string;
  readonly writer: Writer;
  /** The head that the writer knows. */
  readonly expect: number;
  /** The epoch that the writer knows; default 0. */
  readonly epoch?: number | undefined;
  readonly entries: readonly NewEntry[];
  readonly header?: Partial<HeaderState> | undefined;
  readonly snapshot?: NewSnapshot | undefined;
  /** The time of the commit. Default: now. */
  readonly at?: number | undefined;
}

const headerKeys = new Set(['status', 'superstep', 'frontier', 'waits', 'wakeAt', 'tags']);

/** Validates a commit before it is encoded. @throws HOLDFAST_INVALID_ID, HOLDFAST_STORE_CONTRACT */
export function checkCommit({ runId, writer, expect, entries, header = {}, snapshot }: Commit): void {
  checkRunId(runId);
  if (!Number.isSafeInteger(expect) || expect < 0) throw wrong(runId, 'expects a head that is not a seq', { expect });
  if (entries.length === 0 && writer.by !== 'copier') throw wrong(runId, 'has no record');
  for (const { id, kind } of entries) {
    if (id !== undefined) checkRecordId(id);
    if (!mayWrite(writer, kind)) throw wrong(runId, `writes a ${kind} record as ${writer.by}`);
  }
  // No array of keys: this runs for every commit.
  for (const key in header) {
    if (Object.hasOwn(header, key) && !headerKeys.has(key))
      throw wrong(runId, `changes ${key}, which is not in the header`);
  }
  const text = unstorableText(header, 'of' in writer ? writer.of?.graph : undefined);
  if (text !== undefined) throw wrong(runId, `has a header with ${printable(text)}, which no store keeps as it is`);
  if (writer.by === 'external' && ('frontier' in header || 'superstep' in header))
    throw wrong(runId, 'moves the run as an external writer');
  if (writer.by === 'external' && snapshot !== undefined) throw wrong(runId, 'writes a snapshot as an external writer');
  if (writer.by === 'creator') checkCreation({ runId, of: writer.of, floor: 0, expect, header });
  if (writer.by === 'copier' && writer.of !== null) {
    checkCreation({ runId, of: writer.of, floor: writer.floor, expect, header });
  }
  if (snapshot !== undefined && !isCovered(snapshot.covers, expect + entries.length)) {
    throw wrong(runId, 'has a snapshot that covers more than its journal', { covers: snapshot.covers });
  }
}

function wrong(runId: string, what: string, details: ErrorDetails = {}): HoldfastError {
  return holdfastError('HOLDFAST_STORE_CONTRACT', `A commit to run "${runId}" ${what}.`, {
    details: { runId, ...details },
  });
}

function mayWrite(writer: Writer, kind: RecordKind): boolean {
  if (writer.by === 'external') return externalKinds.has(kind);
  if (writer.by === 'journal' || (writer.by === 'creator' && writer.of.kind === 'journal'))
    return journalKinds.has(kind);
  return true;
}

interface Creation {
  readonly runId: string;
  readonly of: NewRun;
  readonly floor: number;
  readonly expect: number;
  readonly header: Partial<HeaderState>;
}

function checkCreation({ runId, of, floor, expect, header }: Creation): void {
  if (of.forkedAt !== null) checkRunId(of.forkedAt.runId);
  if (of.parentId !== null) checkRunId(of.parentId);
  if (expect !== Math.max(of.forkedAt?.seq ?? 0, floor))
    throw wrong(runId, 'creates it at a seq that is not the one of its base');
  if (Object.keys(header).length !== headerKeys.size) throw wrong(runId, 'creates it without a complete header');
  if (of.kind === 'journal' && (of.worker !== null || header.wakeAt !== null))
    throw wrong(runId, 'makes a journal run claimable');
}

function isCovered(covers: SnapshotKey['covers'], head: Batch['expect']): boolean {
  return Number.isSafeInteger(covers) && covers >= 0 && covers <= head;
}
