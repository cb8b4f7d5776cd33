import { type HoldfastError, holdfastError } from '../errors/holdfast-error.ts';
import type { Protection, RetentionRule } from '../history/plan-retention.ts';
import type { RunStatus } from '../store/contract/run.ts';
import { type Duration, durationMs } from '../time/duration.ts';

/**
 * What may be dropped: a checkpoint must match all conditions.
 *
 * @example
 * ```ts
 * const policy: PrunePolicy = { olderThan: '30d', keep: 5, dryRun: true };
 * console.log((await engine.prune(policy)).pruned);
 * ```
 */
export interface PrunePolicy {
  readonly runId?: string | undefined;
  /** Only checkpoints that cover less than this seq. */
  readonly before?: number | undefined;
  /** Only checkpoints saved longer ago than this. */
  readonly olderThan?: Duration | undefined;
  /** All but this many of the newest. */
  readonly keep?: number | undefined;
  readonly keepLatestTerminal?: boolean | undefined;
  /**
   * In journal runs, also drops the records that every remaining checkpoint covers, notes included. Default false. A graph
   * run loses the records of the checkpoints that it loses in any case.
   */
  readonly records?: boolean | undefined;
  /** Only in runs of these statuses. */
  readonly status?: readonly RunStatus[] | undefined;
  /**
   * How long the ids of pruned turns, messages and records are known, so that a repeat changes nothing. Counted from when
   * they were written. Default: the engine's `retention.ids`, or 90 days.
   */
  readonly ids?: Duration | undefined;
  /** Reports what would be dropped, and drops nothing. */
  readonly dryRun?: boolean | undefined;
}

/** A policy for one run that is named elsewhere. */
export type RunPrunePolicy = Omit<PrunePolicy, 'runId'>;

/**
 * What was dropped, what stayed, and what protected it.
 *
 * @example
 * ```ts
 * const { pruned, protectedBy } = await engine.prune({ keep: 5, dryRun: true });
 * for (const { checkpoint, because } of protectedBy) console.log(checkpoint, because);
 * ```
 */
export interface PruneReport {
  readonly runs: number;
  readonly pruned: number;
  readonly retained: number;
  readonly bytes: number;
  readonly preservedTerminal: readonly string[];
  readonly protectedBy: readonly { readonly checkpoint: string; readonly because: Protection }[];
}

/** The report for a run that does not exist or is not selected. */
export const nothingPruned: PruneReport = {
  runs: 0,
  pruned: 0,
  retained: 0,
  bytes: 0,
  preservedTerminal: [],
  protectedBy: [],
};

const policyKeys = new Set(['before', 'olderThan', 'keep', 'keepLatestTerminal', 'records', 'status', 'ids', 'dryRun']);

/** The rule of a policy at a given time. @throws HOLDFAST_INVALID_OPTION */
export function ruleOf(policy: RunPrunePolicy, now: number): RetentionRule {
  const unknown = Object.keys(policy).find((key) => !policyKeys.has(key));
  if (unknown !== undefined) throw invalid(`A prune policy has no option ${JSON.stringify(unknown)}.`);
  const { before, olderThan, keep, keepLatestTerminal, ids } = policy;
  for (const [name, count] of Object.entries({ before, keep })) {
    if (count !== undefined && (!Number.isSafeInteger(count) || count < 0))
      throw invalid(`The prune option ${name} must be a whole number, 0 or more.`);
  }
  if (policy.records !== undefined && typeof policy.records !== 'boolean')
    throw invalid('The prune option records must be true or false.');
  if (before === undefined && olderThan === undefined && keep === undefined) {
    throw invalid('A prune policy must say what may go: set before, olderThan or keep.');
  }
  if (ids !== undefined) durationMs(ids);
  const savedBefore = olderThan === undefined ? undefined : now - durationMs(olderThan);
  return { before, savedBefore, keep, keepLatestTerminal };
}

const defaultIds: Duration = '90d';

/** Ids of pruned records that were written before this time may be forgotten. */
export function idsBefore(ids: Duration | undefined, now: number): number {
  return now - durationMs(ids ?? defaultIds);
}

function invalid(message: string): HoldfastError {
  return holdfastError('HOLDFAST_INVALID_OPTION', message);
}
