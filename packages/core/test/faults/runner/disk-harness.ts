import { diskMutants } from '../disk/disk-mutants.ts';
import { type CrashViolation, exploreCrashes } from '../disk/explore-crashes.ts';
import type { TroubleKind } from '../disk/trouble.ts';
import { mutantNamed } from '../mutants.ts';
import type { Violation } from '../verify/violation.ts';
import type { Harness } from './harness.ts';
import type { LaneOrders } from './lane-result.ts';

/** So many states at a time; each time other workloads. */
const statesAtOnce = 500;
const seedsAtOnce = 1_000;

/** What the workloads of a cycle meet, in turn: anything, and what two of the worst faults so far needed. */
const troubles: readonly (TroubleKind | undefined)[] = [undefined, 'sync-directory', undefined, 'kill'];

/** Crashes on the simulated disk: a cycle looks at some hundred states. A mutant that few workloads show begins with one of those. */
export function diskHarness({ mutant: name, seed }: LaneOrders): Harness {
  const mutant = name === undefined ? undefined : mutantNamed(name);
  const { fault: shownBy, seed: shownFrom = seed } = diskMutants.find((each) => each.name === name) ?? {};
  let next = shownFrom;
  let cycles = 0;
  return {
    cycle: async () => {
      const fault = mutant === undefined ? troubles[cycles % troubles.length] : shownBy;
      cycles += 1;
      const explored = await exploreCrashes({ states: statesAtOnce, seed: next, mutant, fault });
      next += seedsAtOnce;
      const { states, acknowledged, inDoubt, violation } = explored;
      return {
        cycles: states,
        acknowledged,
        hits: inDoubt,
        mended: 0,
        violations: violation === undefined ? [] : [told(violation, fault)],
      };
    },
    close: async () => {},
  };
}

function told(found: CrashViolation, fault: TroubleKind | undefined): Violation {
  const { kind, seed, state, what } = found;
  return { kind, what: `${fault ?? 'any trouble'}, seed ${seed}, ${state}: ${what}` };
}
