import type { ClaimRequest, ClaimResult, GraphName } from '../contract/lease.ts';
import type { RunHeader } from '../contract/run.ts';
import { isCorruption } from '../report-corruption.ts';
import { faultOf, storeFault } from '../store-fault.ts';
import { claimedTail, nextTail } from './run/batch-plan.ts';
import { failuresOf, settleAll } from '../../async/in-parallel.ts';
import type { RunState } from './run/run-state.ts';
import { mostAtOnce, type StoreParts } from './store-parts.ts';
import type { Tail } from './segment/tail.ts';

/** Answers a worker's request about leases. */
export async function answerClaim(parts: StoreParts, request: ClaimRequest): Promise<ClaimResult> {
  const { env, table, leases } = parts;
  const { worker } = request;
  const now = env.clock.now();
  const alive = leases.lives(worker);
  const isFree = ({ kind, hidden, worker: holder }: RunHeader): boolean =>
    kind === 'graph' && !hidden && !leases.lives(holder);
  switch (request.type) {
    case 'heartbeat':
      await leases.set(worker, request.leaseMs);
      return { claimed: [], alive };
    case 'release':
      await release(parts, request);
      return { claimed: [], alive };
    case 'one': {
      const tail = table.tail(request.runId);
      const isTaken = alive && tail !== undefined && isFree(tail.header);
      return { claimed: isTaken ? await take(parts, [request.runId], worker) : [], alive };
    }
    case 'due': {
      if (!alive) return { claimed: [], alive };
      const due = table
        .tails()
        .map(({ header }) => header)
        .filter((header) => isDue(header, now) && isFree(header) && isNamed(header, request.graphs))
        .toSorted((a, b) => (a.wakeAt as number) - (b.wakeAt as number) || (a.runId < b.runId ? -1 : 1))
        .slice(0, request.limit);
      return {
        claimed: await take(
          parts,
          due.map(({ runId }) => runId),
          worker,
        ),
        alive,
      };
    }
  }
}

function isDue({ wakeAt }: RunHeader, now: number): boolean {
  return wakeAt !== null && wakeAt <= now;
}

function isNamed({ graph, version: found }: RunHeader, graphs: readonly GraphName[]): boolean {
  return graphs.some(({ name, version }) => name === graph && (version ?? found) === found);
}

/** What could be taken is given even if others could not be: the worker holds those. */
async function take(parts: StoreParts, runs: readonly string[], worker: string): Promise<readonly RunHeader[]> {
  const { changed, failures } = await changeAll(parts, runs, (tail) => claimedTail(tail, worker));
  if (changed.length === 0 && failures.length > 0) throw failures[0];
  return changed.map(({ header }) => header);
}

async function release(
  parts: StoreParts,
  { worker, runs }: ClaimRequest & { readonly type: 'release' },
): Promise<void> {
  const held = parts.table
    .tails()
    .map(({ header }) => header)
    .filter((header) => header.worker === worker && (runs?.includes(header.runId) ?? true))
    .map(({ runId }) => runId);
  const { changed, failures } = await changeAll(parts, held, (tail) =>
    nextTail(tail, { ...tail.header, worker: null }),
  );
  try {
    if (failures.length > 0) throw failures[0];
    if (runs === undefined) await parts.leases.remove(worker);
  } catch (error) {
    // Those that were released stay so.
    const { cause, poisoned } = faultOf(error);
    throw changed.length > 0 ? storeFault({ effect: 'unknown', poisoned, cause }) : error;
  }
}

interface Changed {
  readonly changed: readonly Tail[];
  readonly failures: readonly unknown[];
}

/**
 * Changes the headers of several runs, each by itself. One among others that is corrupt, or leads elsewhere, is passed
 * over: whoever asks for it is told.
 */
async function changeAll(
  { table, writer }: StoreParts,
  runs: readonly string[],
  change: (tail: Tail) => Tail,
): Promise<Changed> {
  const settled = await settleAll(runs, mostAtOnce, async (runId) => {
    const state = (await table.state(runId)) as RunState;
    const place = table.place(runId);
    const written = await writer.write({ place, state, tail: change(state.tail), records: [], snapshot: null });
    table.set(runId, written, []);
    return written.tail;
  });
  const failures = failuresOf(settled).filter((failure) => runs.length === 1 || !isCorruption(failure));
  const poison = failures.find((failure) => faultOf(failure).poisoned);
  if (poison !== undefined) throw poison as Error;
  return { changed: settled.flatMap((outcome) => (outcome.status === 'fulfilled' ? [outcome.value] : [])), failures };
}
