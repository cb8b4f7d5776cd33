import { nodeEnv } from '../env/node-env.ts';
import { CheckedStore } from '../store/checked-store.ts';
import type { StoreDriver } from '../store/contract/driver.ts';
import { MemoryDriver } from '../store/memory/driver.ts';
import { MemoryPlace } from '../store/memory/memory-place.ts';
import type { FaultPlan } from './fault/fault-plan.ts';
import { FaultyDriver } from './fault/faulty-driver.ts';

interface FailingMemoryOptions {
  readonly plan?: FaultPlan | undefined;
  /** Replaces methods of the driver. */
  readonly change?: ((inside: MemoryDriver) => Partial<StoreDriver>) | undefined;
}

interface FailingMemory {
  readonly store: CheckedStore;
  /** The driver as it is, and its place. */
  readonly inside: MemoryDriver;
  readonly disk: MemoryPlace;
  /** The one that fails. */
  readonly driver: StoreDriver;
}

/** A checked store over a memory driver of which some methods are changed, and which fails as planned. */
export function failingMemory({ plan = () => undefined, change }: FailingMemoryOptions = {}): FailingMemory {
  const disk = new MemoryPlace();
  const inside = new MemoryDriver(disk, nodeEnv);
  const driver = Object.assign(new FaultyDriver(inside, plan, nodeEnv), change?.(inside)) as StoreDriver;
  return { store: new CheckedStore(driver, nodeEnv), inside, disk, driver };
}
