import { type PrunePolicy, ruleOf } from '../../journal/prune-policy.ts';
import type { RunHeader, RunStatus } from '../../store/contract/run.ts';
import { type Duration, durationMs } from '../../time/duration.ts';
import { checkOptions, type KnownOptions } from '../../value/check/check-options.ts';

/**
 * What `work` drops in the background, a few runs at a time. What is not named stays.
 *
 * @example
 * ```ts
 * const engine = await openEngine('sqlite:./runs.db', {
 *   retention: { runs: { completed: '30d', failed: '90d' }, checkpoints: { keep: 1 } },
 * });
 * ```
 */
export interface Retention {
  /**
   * Deletes runs that ended with this status and had no write for this long, with their children. A child is deleted with its
   * parent, not before. Records that forks depend on are kept.
   */
  readonly runs?:
    | {
        readonly completed?: Duration | undefined;
        readonly failed?: Duration | undefined;
        readonly cancelled?: Duration | undefined;
      }
    | undefined;
  /** Drops checkpoints of the runs that stay, like `prune`. */
  readonly checkpoints?: Omit<PrunePolicy, 'runId' | 'ids' | 'dryRun'> | undefined;
  /** How long the ids of what was pruned are known, also by `prune`. Default: 90 days. */
  readonly ids?: Duration | undefined;
}

const known: KnownOptions<Retention> = { runs: true, checkpoints: true, ids: true };
const ends: KnownOptions<NonNullable<Retention['runs']>> = { completed: true, failed: true, cancelled: true };

/** @throws HOLDFAST_INVALID_OPTION */
export function checkRetention(retention: Retention): void {
  const { runs, checkpoints, ids } = checkOptions('retention', retention, known);
  if (runs !== undefined) {
    checkOptions('retention.runs', runs, ends);
    for (const [status, age] of Object.entries(runs))
      if (age !== undefined) durationMs(age, `retention.runs.${status}`);
  }
  if (checkpoints !== undefined) ruleOf(checkpoints, 0);
  if (ids !== undefined) durationMs(ids, 'retention.ids');
}

/** The statuses of the runs that a policy concerns. Undefined: all. */
export function concernedBy({ runs, checkpoints }: Retention): readonly RunStatus[] | undefined {
  const ended = Object.keys(runs ?? {}) as readonly RunStatus[];
  if (checkpoints === undefined) return ended;
  return checkpoints.status && [...new Set([...ended, ...checkpoints.status])];
}

/** Whether a run ended so long ago that it may be deleted. */
export function isExpired({ runs = {} }: Retention, { status, updatedAt }: RunHeader, now: number): boolean {
  const age = status === 'completed' || status === 'failed' || status === 'cancelled' ? runs[status] : undefined;
  return age !== undefined && now - updatedAt >= durationMs(age);
}
