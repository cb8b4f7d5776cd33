import type { Env } from '../../env/env.ts';
import { HoldfastError } from '../../errors/holdfast-error.ts';
import type { CheckedStore } from '../../store/checked-store.ts';
import type { OwnCheckpoint } from './checkpoint-index.ts';
import { planStorage, type StorageBase } from './plan-storage.ts';
import { restoreFrozen } from './restore-state.ts';
import { packHead, type SavedFacts, savedHead } from './saved-checkpoint.ts';

interface RebaseOptions {
  readonly store: CheckedStore;
  readonly env: Pick<Env, 'warn'>;
  readonly runId: string;
  /** Newest first. */
  readonly checkpoints: readonly OwnCheckpoint[];
  readonly drop: readonly OwnCheckpoint[];
  /** Whether the run is cut off from the one it was forked from. */
  readonly cutsLineage: boolean;
}

/**
 * Before checkpoints go: those that stay and were stored as a change of one that goes are stored again, as a change of the
 * next one before it that stays, or whole. They say the same as before, so it does no harm if nothing is dropped after all.
 */
export async function rebaseCheckpoints(options: RebaseOptions): Promise<void> {
  const { checkpoints, drop, cutsLineage, env } = options;
  const dropped = new Set(drop.map(({ seq }) => seq));
  const bySeq = new Map(checkpoints.map((checkpoint) => [checkpoint.seq, checkpoint]));
  for (const checkpoint of checkpoints) {
    if (dropped.has(checkpoint.seq) || !isLoose(checkpoint, dropped, cutsLineage)) continue;
    try {
      await storeAgain(options, checkpoint, ancestorOf(checkpoint, bySeq, dropped));
    } catch (error) {
      if (!HoldfastError.is(error, 'HOLDFAST_CORRUPT')) throw error;
      env.warn(`Checkpoint ${checkpoint.id} cannot be read. ${error.message}`);
    }
  }
}

function isLoose({ storage }: OwnCheckpoint, dropped: ReadonlySet<number>, cutsLineage: boolean): boolean {
  const { base, depth } = storage;
  if (base !== undefined) return dropped.has(base.seq);
  return cutsLineage && depth > 0;
}

/** The nearest checkpoint that this one was built on and that stays. */
function ancestorOf(
  { storage }: OwnCheckpoint,
  bySeq: ReadonlyMap<number, OwnCheckpoint>,
  dropped: ReadonlySet<number>,
): OwnCheckpoint | undefined {
  const seen = new Set<number>();
  for (let { base } = storage; base !== undefined && !seen.has(base.seq); ) {
    seen.add(base.seq);
    const found = bySeq.get(base.seq);
    if (found === undefined || !dropped.has(found.seq)) return found;
    ({ base } = found.storage);
  }
  return undefined;
}

async function storeAgain(
  { store, runId }: RebaseOptions,
  { placed, covers, seq, storage }: OwnCheckpoint,
  ancestor: OwnCheckpoint | undefined,
): Promise<void> {
  const state = await restoreFrozen(store, placed);
  const plan = planStorage(ancestor && (await storageBase(store, ancestor)), state);
  const { stamp, on, alias } = storage;
  const { graph, superstep, label, next, status, metadata, at } = savedHead(placed) as SavedFacts;
  const facts = { graph, superstep, label, next, status, metadata, at };
  const head = packHead(facts, { ...plan.storage, stamp, on, alias });
  await store.trim({ runId, snapshot: { key: { covers, seq }, head, body: plan.body } });
}

async function storageBase(store: CheckedStore, { placed, covers, seq, storage }: OwnCheckpoint): Promise<StorageBase> {
  const { depth, since } = storage;
  return { key: { covers, seq }, state: await restoreFrozen(store, placed), depth, since };
}
