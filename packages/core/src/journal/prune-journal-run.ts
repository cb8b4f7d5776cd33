import type { Env } from '../env/env.ts';
import { type HoldfastError, holdfastError } from '../errors/holdfast-error.ts';
import { type Protection, planRetention, type RetentionRule } from '../history/retention.ts';
import type { CheckedStore } from '../store/checked-store.ts';
import type { RunStatus } from '../store/contract/run.ts';
import { type Duration, durationMs } from '../time/duration.ts';
import { checkRunId } from '../value/id.ts';
import { graphRun } from './checkpoint-index.ts';
import { forkBasesOf } from './delete-run.ts';
import { headOf } from './saved-checkpoint.ts';
import { retryOvertaken, trimWhole } from './trim-whole.ts';
import { walkSnapshots } from './walk-snapshots.ts';

/** What may be dropped: a checkpoint has to meet every condition that is given. */
export interface PrunePolicy {
  readonly runId?: string | undefined;
  /** Checkpoints that cover less than this seq. */
  readonly before?: number | undefined;
  readonly olderThan?: Duration | undefined;
  /** All but the newest so many. */
  readonly keep?: number | undefined;
  readonly keepLatestTerminal?: boolean | undefined;
  /** Only in runs of these statuses. */
  readonly status?: readonly RunStatus[] | undefined;
  /** Tells what would go, and drops nothing. */
  readonly dryRun?: boolean | undefined;
}

/** What was dropped, what stayed, and what protected it. */
export interface PruneReport {
  readonly runs: number;
  readonly pruned: number;
  readonly retained: number;
  readonly bytes: number;
  readonly preservedTerminal: readonly string[];
  readonly protectedBy: readonly { readonly checkpoint: string; readonly because: Protection }[];
}

interface PruneJournalRunOptions {
  readonly store: CheckedStore;
  readonly env: Env;
  readonly runId: string;
  readonly policy: Omit<PrunePolicy, 'runId'>;
}

/** What pruning nothing says. */
export const nothingPruned: PruneReport = {
  runs: 0,
  pruned: 0,
  retained: 0,
  bytes: 0,
  preservedTerminal: [],
  protectedBy: [],
};

/** Drops checkpoints of a journal run; decides again when a fork came to stand on one of them in between. */
export async function pruneJournalRun(options: PruneJournalRunOptions): Promise<PruneReport> {
  const { store, env, policy } = options;
  const runId = checkRunId(options.runId);
  const rule = ruleOf(policy, env.clock.now());
  return retryOvertaken(runId, async () => {
    const header = await store.header(runId);
    if (header !== undefined && header.kind === 'graph') throw graphRun(runId);
    if (header === undefined || policy.status?.includes(header.status) === false) return nothingPruned;
    const checkpoints = await savedIn(store, runId);
    const plan = planRetention({ checkpoints, rule, forkBases: await forkBasesOf(store, runId) });
    const { drop, retained, preservedTerminal, protectedBy } = plan;
    const trimmed = await trimWhole(store, { runId, drop, dryRun: policy.dryRun });
    if (!trimmed.ok) return trimmed.why === 'missing' ? nothingPruned : undefined;
    return { runs: 1, pruned: drop.length, retained, bytes: trimmed.bytes, preservedTerminal, protectedBy };
  });
}

interface Saved {
  readonly id: string;
  readonly seq: number;
  readonly covers: number;
  readonly status: string;
  readonly at: number;
}

/** The run's own checkpoints, newest first: those of its base are the base's to prune. */
async function savedIn(store: CheckedStore, runId: string): Promise<readonly Saved[]> {
  const saved: Saved[] = [];
  const own = { runId, after: 0, upTo: Number.MAX_SAFE_INTEGER, floor: 0 };
  for await (const placed of walkSnapshots({ store, segments: [own] })) {
    const head = headOf(placed);
    // A corrupt one stays where it is: verify reports it, and a person decides.
    if (head === undefined) continue;
    const { id, seq, covers, status, at } = head;
    saved.push({ id, seq, covers, status, at: at.getTime() });
  }
  return saved;
}

const policyKeys = new Set(['before', 'olderThan', 'keep', 'keepLatestTerminal', 'status', 'dryRun']);

/** The rule of a policy, at a time. @throws HOLDFAST_INVALID_OPTION */
export function ruleOf(policy: Omit<PrunePolicy, 'runId'>, now: number): RetentionRule {
  const stray = Object.keys(policy).find((key) => !policyKeys.has(key));
  if (stray !== undefined) throw refused(`A prune policy has no ${JSON.stringify(stray)}.`);
  const { before, olderThan, keep, keepLatestTerminal } = policy;
  for (const [name, count] of Object.entries({ before, keep })) {
    if (count !== undefined && (!Number.isSafeInteger(count) || count < 0))
      throw refused(`${name} is a number: 0, 1, 2, …`);
  }
  if (before === undefined && olderThan === undefined && keep === undefined) {
    throw refused('A prune policy says what may go: give before, olderThan or keep.');
  }
  const savedBefore = olderThan === undefined ? undefined : now - durationMs(olderThan);
  return { before, savedBefore, keep, keepLatestTerminal };
}

function refused(message: string): HoldfastError {
  return holdfastError('HOLDFAST_INVALID_OPTION', message);
}
