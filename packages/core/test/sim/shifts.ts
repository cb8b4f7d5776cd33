import type { Engine } from '../../src/engine/engine.ts';
import type { SimProcess } from './sim-process.ts';
import type { WorkWatch } from './work-watch.ts';
import type { World } from './world.ts';

interface ShiftsOptions {
  readonly engine: Engine;
  readonly process: SimProcess;
  readonly world: World;
  readonly watch: WorkWatch;
  /** Whether the process is to end, because other code was deployed. */
  readonly mustLeave: () => boolean;
  /** The process ends in order: it has closed its engine, and another one is started. */
  readonly onLeave: () => void;
}

/** More than the simulation lasts: a drain lets everything in flight finish. */
const drainMs = 1e6;

/** Works with a limit, drains, stands by, and works again; now and then the process closes its engine and leaves. */
export async function workInShifts({
  engine,
  process,
  world,
  watch,
  mustLeave,
  onLeave,
}: ShiftsOptions): Promise<void> {
  for (;;) {
    const limit = 1 + world.below(4);
    const stop = new AbortController();
    watch.begins(process.name, limit);
    const working = engine.work({ concurrency: limit, drain: drainMs, signal: stop.signal }).done;
    await process.delay(300 + world.random() * 2_500);
    if (world.chance(0.2) || mustLeave()) {
      watch.drains(process.name);
      await engine.close().catch(() => undefined);
      if (process.isDead) return;
      process.isDead = true;
      onLeave();
      return;
    }
    watch.drains(process.name);
    stop.abort();
    await working;
    await process.delay(world.random() * 600);
  }
}
