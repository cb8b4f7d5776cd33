import type { Engine } from '../../src/engine/engine.ts';
import type { Run } from '../../src/engine/graph-run.ts';
import { HoldfastError } from '../../src/errors/holdfast-error.ts';
import type { StoreDriver } from '../../src/store/contract/driver.ts';
import type { RunHeader } from '../../src/store/contract/run.ts';
import { scene } from './scene.ts';
import type { SimProcess } from './sim-process.ts';

/** Who intervenes, and how what only the keeper of the store sees is read. */
interface Intervening {
  readonly engine: Engine;
  readonly process: SimProcess;
  readonly raw: StoreDriver;
}

/** Cancels a run: as soon as this child of it waits, or at any time. */
export async function cancelRun({ process, raw }: Intervening, run: Run, child: string | undefined): Promise<void> {
  if (child !== undefined) await childWaits({ process, raw }, run.id, child);
  else await process.delay(scene().world.random() * 900);
  await run.cancel('called off', { by: 'ada' });
}

async function childWaits({ process, raw }: Omit<Intervening, 'engine'>, parentId: string, graph: string) {
  for (;;) {
    // Cancelled: it was done, and only the answer was lost.
    const status = ['waiting', 'cancelled'] as const;
    const { headers } = await raw.runs({ parentId, graph, status, order: 'oldest', limit: 1 });
    if (headers.length > 0) return;
    await process.delay(50);
  }
}

/** The id of a fork that is made wherever its base is. */
function anywhereForkOf(id: string, at: number): string {
  return `${id}-fork-${at}`;
}

/** A fork, as a workload wants it. */
export interface WantedFork {
  /** The node before which it begins, unless that may have been pruned; default: wherever the base is. */
  readonly before?: string | undefined;
  readonly set?: Readonly<Record<string, unknown>> | undefined;
  /** Whether it continues at once. */
  readonly resume: boolean;
}

/** Forks a run, and lets the fork continue. */
export async function forkAnywhere(options: Intervening, run: Run, at: number, wanted: WantedFork): Promise<void> {
  const { engine, process, raw } = options;
  const id = anywhereForkOf(run.id, at);
  const { before, set, resume } = wanted;
  await process.delay(scene().world.random() * 400);
  try {
    const place = before === undefined || (await headerOf(raw, run.id))?.floor !== 0 ? {} : { before };
    await run.fork({ id, resume, ...place, ...(set !== undefined && { set }) });
  } catch (error) {
    // It was made, and only the answer was lost.
    if (!HoldfastError.is(error, 'HOLDFAST_ID_TAKEN')) throw error;
  }
  const header = await headerOf(raw, id);
  if (header?.status === 'suspended') await (await engine.get(id)).resume();
}

/** The header of a run as the store has it. */
export async function headerOf(raw: StoreDriver, runId: string): Promise<RunHeader | undefined> {
  const { headers } = await raw.runs({ runIds: [runId], order: 'oldest', limit: 1 });
  return headers[0];
}

/** Drops what nobody needs, of all runs, again and again. */
export async function pruneNowAndThen({ engine, process }: Intervening): Promise<void> {
  const { world } = scene();
  for (;;) {
    await process.delay(100 + world.random() * 500);
    try {
      await engine.prune({ keep: 1 + world.below(2) });
    } catch {
      // Prunes again.
    }
  }
}
