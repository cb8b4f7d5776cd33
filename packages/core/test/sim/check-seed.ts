import { calmEndings, chooseRuns, type SimResult, simulate } from './simulate.ts';
import { World } from './world.ts';

export interface SeedReport extends SimResult {
  readonly seed: number;
}

/** Simulates a seed and compares how its runs end with how they end without faults. */
export async function checkSeed(seed: number): Promise<SeedReport> {
  const runs = chooseRuns(new World(seed ^ 0x5bd1e995));
  const expected = new Map<string, string>();
  for (const run of runs) for (const [id, ending] of await calmEndings(run)) expected.set(id, ending);
  const result = await simulate({ seed, runs });
  const violations = [...result.violations];
  for (const [id, ending] of expected) {
    const found = result.endings.get(id);
    if (found !== ending) violations.push(`${id} ended with ${found} instead of ${ending}`);
  }
  for (const id of result.endings.keys()) if (!expected.has(id)) violations.push(`${id} should not be there`);
  return { ...result, violations, seed };
}
