import { failuresOf, settleAll } from '../../async/in-parallel.ts';
import type { Batch, BatchResult, DoubtResult } from '../contract/commit.ts';
import { faultOf, storeFault } from '../store-fault.ts';
import { undoneInDoubt, withoutEffect } from './errors.ts';
import { pathInside, trashName } from './folder/names.ts';
import { randomHex } from './lock/store-lock.ts';
import { nextTail, refusalOf, tailAfter } from './run/batch-plan.ts';
import { type FileRunState, withEpoch } from './run/file-run-state.ts';
import { folderPath, runsFolder } from './run/run-place.ts';
import { voidsFile } from './run/void-epochs.ts';
import { encodeRecords, tokenOf } from './segment/record-line.ts';
import { readLines } from './segment/record-range.ts';
import { firstSeq, hasDropped, lastSeq } from './segment/tail.ts';
import { mostTogether, type StoreParts } from './store-parts.ts';

interface Planned {
  readonly batch: Batch;
  readonly state: FileRunState | undefined;
  readonly refused: BatchResult | undefined;
}

/** Commits a group. The runs' files are written and synced at the same time. */
export function commitGroup(parts: StoreParts, batches: readonly Batch[]): Promise<readonly BatchResult[]> {
  return parts.mutex.run(runsOf(batches), async () => {
    const results: BatchResult[] = [];
    let isWritten = false;
    for (const wave of wavesOf(batches)) {
      try {
        const planned = await Promise.all(wave.map((batch) => plan(parts, batch)));
        isWritten = (await writeWave(parts, planned)) || isWritten;
        results.push(...planned.map(({ refused }) => refused ?? { ok: true as const }));
      } catch (error) {
        // The waves before are durable. `resolveDoubt` tells which batches those were.
        const { cause, poisoned } = faultOf(error);
        throw isWritten && !poisoned ? storeFault({ effect: 'unknown', cause }) : error;
      }
    }
    return results;
  });
}

/** The runs that a group changes or forks from. */
function runsOf(batches: readonly Batch[]): ReadonlySet<string> {
  const runs = new Set<string>();
  for (const { runId, create } of batches) {
    runs.add(runId);
    if (create?.forkedAt) runs.add(create.forkedAt.runId);
  }
  return runs;
}

/** A fork of a run that the group changes is planned once that change is durable. */
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

/** Nothing is written yet: any failure here, such as a corrupt run, is without effect. */
async function plan({ table, voids }: StoreParts, batch: Batch): Promise<Planned> {
  try {
    const state = await table.state(batch.runId);
    const base = batch.create?.forkedAt ? await table.state(batch.create.forkedAt.runId) : undefined;
    const epoch = state?.tail.header.epoch ?? voids.of(batch.runId);
    const why = refusalOf(batch, state?.tail, base) ?? (batch.epoch === epoch ? undefined : 'epoch');
    return { batch, state, refused: why && { ok: false, why, found: state?.tail.header, epoch } };
  } catch (cause) {
    throw withoutEffect(cause);
  }
}

/** Whether anything was written. */
async function writeWave(parts: StoreParts, planned: readonly Planned[]): Promise<boolean> {
  const accepted = planned.filter(({ refused }) => refused === undefined);
  const settled = await settleAll(accepted, mostTogether, ({ batch, state }) =>
    parts.writer.write({
      place: parts.table.place(batch.runId),
      state,
      tail: tailAfter(batch, state?.tail),
      lines: encodeRecords(batch),
      snapshot: batch.snapshot,
      isAlone: accepted.length === 1,
    }),
  );
  const written = accepted.flatMap(({ batch }, at) => {
    const outcome = settled[at] as PromiseSettledResult<FileRunState>;
    return outcome.status === 'fulfilled' ? [{ batch, state: outcome.value }] : [];
  });
  const created = written.filter(({ batch }) => batch.create !== null).map(({ batch }) => batch.runId);
  await syncNewRuns(parts, created);
  for (const { batch, state } of written) parts.table.set(batch.runId, state, batch.ids);
  for (const runId of created) parts.voids.delete(runId);
  const failures = failuresOf(settled);
  if (failures.length === 0) return written.length > 0;
  const poison = failures.find((failure) => faultOf(failure).poisoned);
  if (poison !== undefined || written.length === 0) throw poison ?? failures[0];
  throw storeFault({ effect: 'unknown', cause: faultOf(failures[0]).cause });
}

/**
 * One sync makes the names of all new folders durable. If it fails they are renamed to trash, each with all its files: a
 * power cut leaves a run whole or not at all, and the next process to open the store removes them.
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

/**
 * Says whether the batch is there, and if not, refuses it from now on. The mutex puts this behind the run's writes in
 * flight.
 */
export function resolveDoubt(parts: StoreParts, batch: Batch): Promise<DoubtResult> {
  const { runId, expect, records } = batch;
  return parts.mutex.run([runId], async () => {
    const state = await parts.table.state(runId);
    if (state !== undefined && (await isCommitted(parts, state, batch))) return { outcome: 'committed' };
    const isDropped = state !== undefined && hasDropped(state.tail, expect + 1);
    if (isDropped || records.length === 0) return { outcome: 'unknown' };
    if (state === undefined) {
      const epoch = await parts.mutex.run([voidsFile], () => parts.voids.raise(runId));
      return { outcome: 'absent', found: undefined, epoch };
    }
    const { header } = (await raiseEpoch(parts, state)).tail;
    return { outcome: 'absent', found: header, epoch: header.epoch };
  });
}

/** Counts also where the disk is full: only this process could still commit the batch in doubt. */
async function raiseEpoch({ table, writer }: StoreParts, state: FileRunState): Promise<FileRunState> {
  const raised = withEpoch(state, state.tail.header.epoch + 1);
  const { tail } = raised;
  const { runId } = tail.header;
  const place = table.place(runId);
  const change = { place, state, tail: nextTail(tail, tail.header), lines: [], snapshot: null };
  const written = await writer.write(change).catch((error: unknown) => {
    if (faultOf(error).poisoned) throw error;
    return raised;
  });
  table.set(runId, written, []);
  return written;
}

async function isCommitted({ env, table }: StoreParts, state: FileRunState, batch: Batch): Promise<boolean> {
  const seq = batch.expect + 1;
  if (seq < firstSeq(state.tail) || seq > lastSeq(state.tail)) return false;
  const [line = ''] = await readLines(env.files, { place: table.place(batch.runId), state, from: seq, to: seq });
  return tokenOf(line) === batch.token;
}
