import type { StoreDriver } from '../../src/store/contract/driver.ts';
import type { MemoryPlace } from '../../src/store/memory/memory-place.ts';
import type { ProcessTable } from './process-table.ts';
import type { Setting } from './setting.ts';
import type { SimProcess } from './sim-process.ts';
import type { World } from './world.ts';

/** What a mutant may reach. */
export interface Around {
  readonly driver: StoreDriver;
  readonly disk: MemoryPlace;
  readonly process: SimProcess;
  readonly world: World;
}

/** A way in which an engine or a store could be wrong, made from outside: the simulation has to find it. */
export interface Mutant {
  readonly name: string;
  /** What the store does otherwise. */
  readonly store?: ((around: Around) => Partial<StoreDriver>) | undefined;
  /** What the engine asks of its store otherwise. */
  readonly engine?: ((around: Around) => Partial<StoreDriver>) | undefined;
  /** Leases are measured by the clock of whoever asks. */
  readonly hasLocalLeases?: boolean | undefined;
  /** Takes a living process for a dead one. */
  readonly mistakesProcesses?: ProcessTable['mistake'];
  readonly namesByOrder?: boolean | undefined;
  /** Changes the engine's own code, and gives how to change it back. */
  readonly patch?: (() => () => void) | undefined;
  readonly keepsLateAnswers?: boolean | undefined;
  /** Where it shows; default: anywhere but on files. */
  readonly setting?: Setting | undefined;
}
