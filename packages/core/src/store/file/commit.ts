import type { Batch, BatchResult } from '../contract/commit.ts';
import { faultOf, storeFault } from '../store-fault.ts';
import { refusalOf, tailAfter } from './run/batch-plan.ts';
import { failuresOf, settleAll } from '../../async/in-parallel.ts';
import { pathInside, trashName } from './folder/names.ts';
import { folderPath, runsFolder } from './run/run-place.ts';
import type { RunState } from './run/run-state.ts';
import { randomHex } from './lock/store-lock.ts';
import { mostAtOnce, type StoreParts } from './store-parts.ts';
import { undoneInDoubt, withoutEffect } from './errors.ts';

interface Planned {
  readonly batch: Batch;
  readonly state: RunState | undefined;
  readonly refused: BatchResult | undefined;
}

/** Commits a group: each run's files are written and synced beside the others'. */
export async function commitGroup(parts: StoreParts, batches: readonly Batch[]): Promise<readonly BatchResult[]> {
  const results: BatchResult[] = [];
  let isWritten = false;
  for (const wave of wavesOf(batches)) {
    try {
      const planned = await Promise.all(wave.map((batch) => plan(parts, batch)));
      isWritten = (await writeWave(parts, planned)) || isWritten;
      results.push(...planned.map(({ refused }) => refused ?? { ok: true as const }));
    } catch (error) {
      // What the waves before have written stands: which batches that were can be looked up.
      const { cause, poisoned } = faultOf(error);
      throw isWritten && !poisoned ? storeFault({ effect: 'unknown', cause }) : error;
    }
  }
  return results;
}

/** A fork of a run that the group changes is looked at when that change is durable. */
function wavesOf(batches: readonly Batch[]): readonly (readonly Batch[])[] {
  const waves: Batch[][] = [[]];
  let runs = new Set<string>();
  for (const batch of batches) {
    if (batch.create !== null && batch.create.forkedAt !== null && runs.has(batch.create.forkedAt.runId)) {
      waves.push([]);
      runs = new Set();
    }
    waves.at(-1)?.push(batch);
    runs.add(batch.runId);
  }
  return waves;
}

/** Nothing is written yet: whatever fails here, a corrupt run above all, is without effect. */
async function plan({ table }: StoreParts, batch: Batch): Promise<Planned> {
  try {
    const state = await table.state(batch.runId);
    const base = batch.create?.forkedAt ? await table.state(batch.create.forkedAt.runId) : undefined;
    const why = refusalOf(batch, state?.tail, base);
    return { batch, state, refused: why && { ok: false, why, found: state?.tail.header } };
  } catch (cause) {
    throw withoutEffect(cause);
  }
}

/** Whether anything was written. */
async function writeWave(parts: StoreParts, planned: readonly Planned[]): Promise<boolean> {
  const taken = planned.filter(({ refused }) => refused === undefined);
  const settled = await settleAll(taken, mostAtOnce, ({ batch, state }) =>
    parts.writer.write({
      place: parts.table.place(batch.runId),
      state,
      tail: tailAfter(batch, state?.tail),
      records: batch.records,
      snapshot: batch.snapshot,
      isAlone: taken.length === 1,
    }),
  );
  const written = taken.flatMap(({ batch }, at) => {
    const outcome = settled[at] as PromiseSettledResult<RunState>;
    return outcome.status === 'fulfilled' ? [{ batch, state: outcome.value }] : [];
  });
  await syncNewRuns(
    parts,
    written.filter(({ batch }) => batch.create !== null).map(({ batch }) => batch.runId),
  );
  for (const { batch, state } of written) parts.table.set(batch.runId, state, batch.records);
  const failures = failuresOf(settled);
  if (failures.length === 0) return written.length > 0;
  const poison = failures.find((failure) => faultOf(failure).poisoned);
  if (poison !== undefined || written.length === 0) throw poison ?? failures[0];
  throw storeFault({ effect: 'unknown', cause: faultOf(failures[0]).cause });
}

/**
 * One sync makes the names of all the new folders durable. When it fails they get the names of removed ones, each with
 * all its files: a power cut leaves a run whole or not at all, and whoever opens the store next clears them away.
 */
async function syncNewRuns({ env, root, table }: StoreParts, runs: readonly string[]): Promise<void> {
  if (runs.length === 0) return;
  const all = pathInside(root, runsFolder);
  await env.files.syncDirectory(all).catch(async (cause: unknown) => {
    throw await undoneInDoubt(cause, async () => {
      for (const place of runs.map((runId) => table.place(runId))) {
        await env.files.rename(folderPath(place), pathInside(all, trashName(place.folder, randomHex(env, 8))));
      }
    });
  });
}
