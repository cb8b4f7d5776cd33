import { seededRandom } from '../../../src/testing/seeded-random.ts';
import { FullDiskCycles } from '../full-disk/full-disk-cycles.ts';
import { killMeans } from '../kill/kill-means.ts';
import type { HarnessName } from '../mutant/mutant.ts';
import { powerMeans } from '../power/power-means.ts';
import { LeaseCycles } from '../processes/lease-cycles.ts';
import { LockCycles } from '../processes/lock-cycles.ts';
import { SyscallCycles } from '../syscall/syscall-cycles.ts';
import { CrashCycles } from '../workload/crash-cycles.ts';
import { corruptionHarness } from './corruption-harness.ts';
import { diskHarness } from './disk-harness.ts';
import type { Harness } from './harness.ts';
import type { LaneOrders } from './lane-result.ts';

/** How each harness that needs processes of its own is started in a lane. */
export const harnesses: Readonly<Record<HarnessName, (orders: LaneOrders) => Promise<Harness>>> = {
  kill: async (orders) => new CrashCycles(orders, killMeans(orders.directory)),
  power: async (orders) => {
    const random = seededRandom(orders.seed + 1);
    return new CrashCycles(orders, await powerMeans({ directory: orders.directory, random }));
  },
  disk: async (orders) => diskHarness(orders),
  corruption: async (orders) => corruptionHarness(orders),
  'full-disk': async (orders) => new FullDiskCycles(orders).prepare(),
  processes: async (orders) => (orders.store === 'sqlite' ? new LeaseCycles(orders) : new LockCycles(orders)),
  syscall: async (orders) => new SyscallCycles(orders).prepare(),
};
