import type { Env } from '../../env/env.ts';
import { planFloor } from '../../history/retention.ts';
import { allRuns } from '../../journal/all-runs.ts';
import { forkBasesOf, removeForgotten } from '../../journal/delete-run.ts';
import {
  nothingPruned,
  type PrunePolicy,
  type PruneReport,
  pruneJournalRun,
  ruleOf,
} from '../../journal/prune-journal-run.ts';
import { retryOvertaken, trimWhole } from '../../journal/trim-whole.ts';
import { loadRun } from '../../runner/fold/load-run.ts';
import { runSnapshot } from '../../runner/fold/run-snapshot.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { checkRunId } from '../../value/id.ts';
import type { EngineParts } from '../parts.ts';
import { ownMarks } from '../query/run-history.ts';

/** Drops old checkpoints, of one run or of all, as far as nothing stands on them. @throws HOLDFAST_INVALID_OPTION */
export async function pruneRuns(parts: EngineParts, policy: PrunePolicy): Promise<PruneReport> {
  const { runId, ...rest } = policy;
  ruleOf(rest, parts.env.clock.now());
  if (runId !== undefined) {
    const header = await parts.store.header(checkRunId(runId));
    return header === undefined ? nothingPruned : pruneOne(parts, header, rest);
  }
  let total = nothingPruned;
  for await (const header of allRuns(parts.store, { status: rest.status })) {
    total = added(total, await pruneOne(parts, header, rest));
    await turnOf(parts.env);
  }
  if (rest.dryRun !== true) await removeForgotten(parts.store);
  return total;
}

type Rest = Omit<PrunePolicy, 'runId'>;

async function pruneOne(parts: EngineParts, header: RunHeader, policy: Rest): Promise<PruneReport> {
  const { store, env } = parts;
  const { runId } = header;
  if (header.kind === 'journal') return pruneJournalRun({ store, env, runId, policy });
  const rule = ruleOf(policy, env.clock.now());
  let isFirst = true;
  return retryOvertaken(runId, async () => {
    // A fork came to stand on what would go, or somebody else pruned: look again.
    const now = isFirst ? header : await store.header(runId);
    isFirst = false;
    if (now === undefined || policy.status?.includes(now.status) === false) return nothingPruned;
    const checkpoints = await ownMarks(store, now);
    const plan = planFloor({ checkpoints, rule, forkBases: await forkBasesOf(store, runId), latest: needOf(now) });
    const { drop, retained, preservedTerminal, protectedBy } = plan;
    const counted = { runs: 1, pruned: drop.length, retained, preservedTerminal, protectedBy };
    const floor = checkpoints[retained - 1]?.seq;
    if (drop.length === 0 || floor === undefined) return { ...counted, bytes: 0 };
    const { state } = await loadRun(store, now, { upTo: floor });
    const { head, body } = runSnapshot(state, checkpoints[retained - 1]?.at);
    await turnOf(env);
    const trimmed = await trimWhole(store, { runId, floor, snapshot: { head, body }, dryRun: policy.dryRun });
    if (trimmed.ok) return { ...counted, bytes: trimmed.bytes };
    return trimmed.why === 'missing' ? nothingPruned : undefined;
  });
}

/** What others want to commit comes in between: a store may answer so fast that nobody else would get a turn. */
function turnOf(env: Env): Promise<void> {
  return new Promise((resolve) => env.nextTick(resolve));
}

function needOf({ waits }: RunHeader): 'latest' | 'waiting' | 'pending-effect' {
  if (waits.some(({ kind }) => kind === 'effect')) return 'pending-effect';
  return waits.length > 0 ? 'waiting' : 'latest';
}

function added(a: PruneReport, b: PruneReport): PruneReport {
  return {
    runs: a.runs + b.runs,
    pruned: a.pruned + b.pruned,
    retained: a.retained + b.retained,
    bytes: a.bytes + b.bytes,
    preservedTerminal: [...a.preservedTerminal, ...b.preservedTerminal],
    protectedBy: [...a.protectedBy, ...b.protectedBy],
  };
}

/** Few enough that commits beside it do not wait for long. */
const sliceSize = 20;

/** Prunes by a policy a few runs at a time, from the oldest on, and then from the beginning again. */
export class RetentionSweep {
  readonly #parts: EngineParts;
  readonly #policy: PrunePolicy;
  #after: { readonly createdAt: number; readonly runId: string } | undefined;

  constructor(parts: EngineParts, policy: PrunePolicy) {
    this.#parts = parts;
    this.#policy = policy;
  }

  async slice(): Promise<void> {
    const { runId, ...policy } = this.#policy;
    if (runId !== undefined) return void (await pruneRuns(this.#parts, this.#policy));
    const query = { status: policy.status, order: 'oldest', after: this.#after, limit: sliceSize } as const;
    const page = await this.#parts.store.runs(query);
    for (const header of page) await pruneOne(this.#parts, header, policy);
    const last = page.at(-1);
    this.#after = last === undefined || page.length < sliceSize ? undefined : last;
    if (this.#after === undefined && policy.dryRun !== true) await removeForgotten(this.#parts.store);
  }
}
