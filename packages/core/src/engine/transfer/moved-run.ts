import { type HoldfastError, holdfastError } from '../../errors/holdfast-error.ts';
import type { NewEntry } from '../../record/record.ts';
import type { NewSnapshot } from '../../store/check/check-commit.ts';
import type { KnownId } from '../../store/check/known-id.ts';
import type { CopyPart } from '../../store/contract/commit.ts';
import type { HeaderState, NewRun, RunHeader } from '../../store/contract/run.ts';

/** A run on its way into another store: everything of its header but leases. */
export interface MovedRun extends Omit<NewRun, 'worker'> {
  readonly runId: string;
  readonly floor: number;
  /** The seq of the last record. */
  readonly head: number;
  readonly updatedAt: number;
  readonly header: HeaderState;
  /** The header of the complete run. */
  readonly end: NonNullable<CopyPart['end']>;
}

/** A piece of a run: the records after `after`, and perhaps a snapshot at or below the last of them; or ids of older records. */
export interface Part {
  readonly after: number;
  readonly entries: readonly NewEntry[];
  readonly snapshot?: (NewSnapshot & { readonly seq: number }) | undefined;
  /** Ids of records that the run does not have: those were trimmed. */
  readonly ids?: readonly KnownId[] | undefined;
}

/** The seq before the first record of a run. */
export function beginOf({ forkedAt, floor }: Pick<RunHeader, 'forkedAt' | 'floor'>): number {
  return Math.max(forkedAt?.seq ?? 0, floor);
}

/** The header without what belongs to its store. */
export function movedRun(header: RunHeader, head: number): MovedRun {
  const { runId, kind, graph, version, forkedAt, parentId, createdAt, updatedAt, floor, hidden } = header;
  const { status, superstep, frontier, waits, wakeAt, tags } = header;
  return {
    runId,
    kind,
    graph,
    version,
    forkedAt,
    parentId,
    createdAt,
    updatedAt,
    floor,
    head,
    header: { status, superstep, frontier, waits, wakeAt, tags },
    end: hidden ? 'hidden' : 'seen',
  };
}

/** The error for a run that was forked from itself, directly or not. */
export function forkCycle(runId: string): HoldfastError {
  return holdfastError('HOLDFAST_CORRUPT', `The forks of run "${runId}" form a cycle. Run verify.`, {
    details: { where: runId, runId },
  });
}
