import { change, mutant } from '../mutant.ts';
import { type Keepable, type Protection, type RetentionPlan, seams } from '../seams.ts';
import { brokenCheckpoints, brokenDriver } from './wrap.ts';

/** The plan, without this protection. */
function without<C extends Keepable>(
  plan: RetentionPlan<C>,
  checkpoints: readonly C[],
  protection: Protection,
): RetentionPlan<C> {
  const lost = new Set(plan.protectedBy.filter(({ because }) => because === protection).map((one) => one.checkpoint));
  return {
    ...plan,
    drop: checkpoints.filter((checkpoint) => plan.drop.includes(checkpoint) || lost.has(checkpoint.id)),
    retained: plan.retained - lost.size,
    protectedBy: plan.protectedBy.filter(({ checkpoint }) => !lost.has(checkpoint)),
  };
}

export const prune = [
  mutant(
    'prune removes what a fork stands on',
    change(seams.planRetention, (plan) => (options) => without(plan(options), options.checkpoints, 'fork')),
    // Otherwise the store refuses the plan, and prune gives up with HOLDFAST_CONFLICT.
    ...brokenDriver('memory', '', (driver) => ({
      trim: async (plan) => {
        const trimmed = await driver.trim(plan);
        return !trimmed.ok && trimmed.why === 'forks'
          ? { ok: true, records: 0, snapshots: 0, bytes: 0, more: false }
          : trimmed;
      },
    })).changes,
  ),
  mutant(
    'prune removes the last checkpoint of a run',
    change(seams.planRetention, (plan) => (options) => without(plan(options), options.checkpoints, 'latest')),
  ),
  mutant(
    'prune does not keep the latest terminal checkpoint',
    change(
      seams.planRetention,
      (plan) => (options) => plan({ ...options, rule: { ...options.rule, keepLatestTerminal: false } }),
    ),
  ),
  mutant(
    'prune removes what covers just as much',
    change(seams.planRetention, (plan) => ({ rule, ...rest }) => {
      const before = rule.before === undefined ? undefined : rule.before + 1;
      return plan({ ...rest, rule: { ...rule, before } });
    }),
  ),
  mutant(
    'prune does not say what protected what',
    change(seams.planRetention, (plan) => (options) => ({ ...plan(options), protectedBy: [] })),
  ),
  brokenCheckpoints('a dry run drops', (checkpoints) => ({
    prune: (run, policy) => checkpoints.prune(run, { ...policy, dryRun: false }),
  })),
  brokenCheckpoints('prune counts an unknown run', (checkpoints) => ({
    prune: async (run, policy) => ({ ...(await checkpoints.prune(run, policy)), runs: 1 }),
  })),
  brokenCheckpoints('prune ignores the status', (checkpoints) => ({
    prune: (run, policy) => checkpoints.prune(run, { ...policy, status: undefined }),
  })),
  brokenCheckpoints('a policy that says nothing drops all', (checkpoints) => ({
    prune: (run, policy) => checkpoints.prune(run, Object.keys(policy).length === 0 ? { keep: 0 } : policy),
  })),
];

export const terminal = [
  mutant(
    'only lower case is terminal',
    change(seams.isTerminal, (isTerminal) => (status) => status === status.toLowerCase() && isTerminal(status)),
  ),
  mutant(
    'cancelled is not terminal',
    change(seams.isTerminal, (isTerminal) => (status) => status !== 'cancelled' && isTerminal(status)),
  ),
  mutant(
    'waiting is terminal',
    change(seams.isTerminal, (isTerminal) => (status) => status === 'waiting' || isTerminal(status)),
  ),
  mutant(
    'saving and pruning disagree',
    change(seams.planRetention, (plan) => ({ checkpoints, ...rest }) => {
      const seen = checkpoints.map((one) => (one.status === 'completed' ? one : { ...one, status: 'running' }));
      return plan({ ...rest, checkpoints: seen });
    }),
  ),
];
