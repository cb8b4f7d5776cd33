import { diskMutants } from '../disk/disk-mutants.ts';
import { exploreCrashes } from '../disk/explore-crashes.ts';
import { mutantNamed } from '../mutants.ts';
import type { Harness } from './harness.ts';
import type { LaneOrders } from './lane-result.ts';

/** So many states at a time; each time other workloads. */
const statesAtOnce = 500;
const seedsAtOnce = 1_000;

/** Crashes on the simulated disk: a cycle looks at some hundred states. */
export function diskHarness({ mutant: name, seed }: LaneOrders): Harness {
  const mutant = name === undefined ? undefined : mutantNamed(name);
  const fault = diskMutants.find((each) => each.name === name)?.fault;
  let next = seed;
  return {
    cycle: async () => {
      const explored = await exploreCrashes({ states: statesAtOnce, seed: next, mutant, fault });
      next += seedsAtOnce;
      const { states, acknowledged, inDoubt, violation } = explored;
      const what = violation && `seed ${violation.seed}, ${violation.state}: ${violation.what}`;
      return {
        cycles: states,
        acknowledged,
        inFlight: inDoubt,
        mended: 0,
        violations: what === undefined ? [] : [{ kind: 'lost', what }],
      };
    },
    close: async () => {},
  };
}
