import type { Env } from '../../env/env.ts';
import { type Keepable, planRetention, type RetentionRule } from '../../history/plan-retention.ts';
import { graphRun, type OwnCheckpoint, ownCheckpoints } from '../../journal/checkpoint/checkpoint-index.ts';
import { rebaseCheckpoints } from '../../journal/checkpoint/rebase-checkpoints.ts';
import { forkPointsOf } from '../../journal/delete-run.ts';
import { pagesOfIds } from '../../journal/pages-of-ids.ts';
import { idsBefore, nothingPruned, type PruneReport, type RunPrunePolicy, ruleOf } from '../../journal/prune-policy.ts';
import { loadSegments } from '../../journal/run-journal.ts';
import type { RunWriter } from '../../journal/run-writer.ts';
import { type TrimDecision, trimByDecision, trimRun } from '../../journal/trim-run.ts';
import { isBoundary, runSnapshot } from '../../runner/fold/run-snapshot.ts';
import { findRun } from '../../runner/load-run.ts';
import type { Trim } from '../../store/check/check-request.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { SnapshotKey } from '../../store/contract/commit.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { checkRunId } from '../../value/id.ts';
import { ownMarks } from '../query/run-history.ts';
import type { Retention } from './retention-options.ts';

/** What pruning needs. */
export interface PruneContext {
  readonly store: CheckedStore;
  readonly env: Env;
  readonly writer: Pick<RunWriter, 'inTurn'>;
  /** The engine's own policy: how long ids are known if a prune does not say so. */
  readonly retention?: Pick<Retention, 'ids'> | undefined;
}

/** Prunes a run of either kind by id. @throws HOLDFAST_INVALID_OPTION, HOLDFAST_CONFLICT */
export async function pruneById(context: PruneContext, id: string, policy: RunPrunePolicy): Promise<PruneReport> {
  const runId = checkRunId(id);
  ruleOf(policy, context.env.clock.now());
  const header = await context.store.header(runId);
  return header === undefined ? nothingPruned : pruneRun(context, header, policy);
}

/** Prunes a journal run by id. @throws HOLDFAST_GRAPH_RUN, HOLDFAST_INVALID_OPTION, HOLDFAST_CONFLICT */
export async function pruneJournalRun(context: PruneContext, id: string, policy: RunPrunePolicy): Promise<PruneReport> {
  const runId = checkRunId(id);
  ruleOf(policy, context.env.clock.now());
  const header = await context.store.header(runId);
  if (header?.kind === 'graph') throw graphRun(runId);
  return header === undefined ? nothingPruned : pruneRun(context, header, policy);
}

/**
 * Reads a run's own checkpoints, plans what to drop, and trims it. Plans again if someone forked or pruned the run
 * meanwhile.
 *
 * @throws HOLDFAST_INVALID_OPTION, HOLDFAST_CONFLICT
 */
export function pruneRun(context: PruneContext, known: RunHeader, policy: RunPrunePolicy): Promise<PruneReport> {
  const { store, env, writer } = context;
  const { runId } = known;
  const rule = ruleOf(policy, env.clock.now());
  const forgetIds = idsBefore(policy.ids ?? context.retention?.ids, env.clock.now());
  const decide = async (tries: number): Promise<TrimDecision<PruneReport>> => {
    const header = tries === 0 ? known : await store.header(runId);
    if (header === undefined || policy.status?.includes(header.status) === false) return { done: nothingPruned };
    return header.kind === 'journal'
      ? planJournalRun(context, { header, policy, rule, forgetIds })
      : planGraphRun(context, { header, policy, rule, forgetIds });
  };
  if (known.kind === 'graph') return trimByDecision(context, runId, decide);
  // A plan for a journal run is refused when someone writes meanwhile, so this process does not.
  return writer.inTurn(runId, () => trimByDecision(context, runId, (tries) => decide(tries + 1)));
}

interface PlanOptions {
  readonly header: RunHeader;
  readonly policy: RunPrunePolicy;
  readonly rule: RetentionRule;
  /** Ids of records that are gone and were written before this time go too. */
  readonly forgetIds: number;
}

async function planGraphRun(context: PruneContext, options: PlanOptions): Promise<TrimDecision<PruneReport>> {
  const { store } = context;
  const { header, policy, rule, forgetIds } = options;
  const { dryRun } = policy;
  const { runId } = header;
  const checkpoints = await ownMarks(store, header);
  const forkPoints = await forkPointsOf(store, runId);
  const { drop, ...kept } = planRetention({ checkpoints, rule, forkPoints, latest: needOf(header), drops: 'oldest' });
  const raised = await raiseFloor(store, runId, drop.length === 0 ? [] : checkpoints.slice(kept.retained - 1));
  if (raised === undefined) return { done: nothingPruned };
  const report = {
    ...kept,
    runs: 1,
    pruned: drop.length - raised.passed,
    retained: kept.retained + raised.passed,
  };
  if (raised.trim === undefined)
    return { done: { ...report, bytes: await finishTrim(context, header, { forgetIds, dryRun }) } };
  const ids = dryRun === true ? undefined : await inheritedIds(context, header);
  return { trim: { ...raised.trim, ids, forgetIds, dryRun }, answer: (bytes) => ({ ...report, bytes }) };
}

/** Drops single checkpoints, and the records below all that remain if the policy says so. */
async function planJournalRun(context: PruneContext, options: PlanOptions): Promise<TrimDecision<PruneReport>> {
  const { store, env } = context;
  const { header, policy, rule, forgetIds } = options;
  const { dryRun } = policy;
  const { runId, head } = header;
  const { checkpoints, corrupt } = await ownCheckpoints(store, runId);
  const forkPoints = await forkPointsOf(store, runId);
  const { drop, ...kept } = planRetention({ checkpoints, rule, forkPoints, latest: 'latest', drops: 'any' });
  const report = { runs: 1, pruned: drop.length, ...kept };
  const floor = policy.records === true ? floorOf(header, [...without(checkpoints, drop), ...corrupt]) : undefined;
  if (drop.length === 0 && floor === undefined) {
    return { done: { ...report, bytes: await finishTrim(context, header, { forgetIds, dryRun }) } };
  }
  const cutsLineage = floor !== undefined && header.forkedAt !== null;
  if (dryRun !== true) await rebaseCheckpoints({ store, env, runId, checkpoints, drop, cutsLineage });
  const ids = dryRun === true || floor === undefined ? undefined : await inheritedIds(context, header);
  const trim = { head, drop, floor, ids, forgetIds, dryRun };
  return { trim, answer: (bytes) => ({ ...report, bytes }) };
}

function without(checkpoints: readonly OwnCheckpoint[], drop: readonly OwnCheckpoint[]): readonly OwnCheckpoint[] {
  const dropped = new Set(drop);
  return checkpoints.filter((checkpoint) => !dropped.has(checkpoint));
}

/** Up to where every remaining checkpoint covers the journal; undefined if there is nothing more to drop. */
function floorOf({ floor, forkedAt }: RunHeader, remaining: readonly SnapshotKey[]): number | undefined {
  const lowest = Math.min(...remaining.map(({ covers }) => covers));
  const isHigher = Number.isFinite(lowest) && lowest > floor && lowest >= (forkedAt?.seq ?? 1);
  return isHigher ? lowest : undefined;
}

/** Removes what an interrupted trim left below the floor, and ids that are too old. */
async function finishTrim(
  context: PruneContext,
  { runId, floor }: RunHeader,
  { forgetIds, dryRun }: Pick<Trim, 'forgetIds' | 'dryRun'>,
): Promise<number> {
  if (floor === 0) return 0;
  const trimmed = await trimRun(context, { runId, floor, forgetIds, dryRun });
  return trimmed.ok ? trimmed.bytes : 0;
}

/**
 * A run that has a floor needs nothing of its base, so the ids that it shares with the base become its own. Few ids come with
 * the plan that raises the floor; of many, all but the last page are added before.
 */
async function inheritedIds({ store }: PruneContext, header: RunHeader): Promise<Trim['ids']> {
  if (header.forkedAt === null || header.floor > 0) return undefined;
  let last: Trim['ids'];
  for (const { runId, upTo } of (await loadSegments(store, header)).slice(1)) {
    for await (const ids of pagesOfIds(store, { runId, upTo })) {
      if (last !== undefined) await store.trim({ runId: header.runId, ids: last });
      last = ids;
    }
  }
  return last;
}

/** Where the floor goes. Without a trim it stays where it is. */
interface RaisedFloor {
  readonly trim: Pick<Trim, 'floor' | 'snapshot'> | undefined;
  /** How many checkpoints stay besides the planned ones, because they are needed. */
  readonly passed: number;
}

/**
 * To the oldest checkpoint that stays; a snapshot of it replaces the records up to there. A checkpoint in the middle of a
 * super-step, such as that of a migration, needs the one before it: no snapshot holds what the super-step has done. `lowest`
 * has the oldest that stays, then those that were to be dropped. Undefined if the run is gone.
 */
async function raiseFloor(
  store: CheckedStore,
  runId: string,
  lowest: readonly Keepable[],
): Promise<RaisedFloor | undefined> {
  for (const [passed, { seq: floor, at }] of lowest.slice(0, -1).entries()) {
    const loaded = await findRun(store, runId, { upTo: floor });
    if (loaded === undefined) return undefined;
    if (!isBoundary(loaded.state)) continue;
    const { head, body } = runSnapshot(loaded.state, at);
    return { trim: { floor, snapshot: { head, body } }, passed };
  }
  return { trim: undefined, passed: Math.max(lowest.length - 1, 0) };
}

function needOf({ waits }: RunHeader): 'latest' | 'waiting' | 'pending-effect' {
  if (waits.some(({ kind }) => kind === 'effect')) return 'pending-effect';
  return waits.length > 0 ? 'waiting' : 'latest';
}
