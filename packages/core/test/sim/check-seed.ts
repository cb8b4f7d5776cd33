import { loadedEarly } from './loaded-early.ts';
import type { Mutant } from './mutant.ts';
import type { Endings } from './oracle.ts';
import type { ChosenRun } from './person.ts';
import type { Setting } from './setting.ts';
import { type SimResult, simulate } from './simulate.ts';
import { workloads } from './workloads.ts';
import { World } from './world.ts';

export interface SeedReport extends SimResult {
  readonly seed: number;
}

/** Every so many seeds are on files, or in an embedded engine. */
const fileEvery = 20;
const embeddedEvery = 5;
/** A seed has runs for at least so many commits. */
const leastCommits = 36;

/** Simulates a seed and compares how its runs end with how they end without faults. */
export async function checkSeed(seed: number, mutant?: Mutant): Promise<SeedReport> {
  await loadedEarly;
  const runs = await chooseRuns(new World(seed ^ 0x5bd1e995));
  const expected = new Map<string, string>();
  for (const run of runs) for (const [id, ending] of (await calm(run)).endings) expected.set(id, ending);
  const result = await simulate({ seed, runs, setting: settingOf(seed, mutant), mutant });
  const violations = [...result.violations];
  for (const [id, ending] of result.hasCrashLoop ? [] : expected) {
    const found = result.endings.get(id);
    if (found !== ending) violations.push(`${id} ended with ${found} instead of ${ending}`);
  }
  for (const id of result.endings.keys()) if (!expected.has(id)) violations.push(`${id} should not be there`);
  if (mutant === undefined) violations.push(...tooLittle(result));
  return { ...result, violations, seed };
}

function settingOf(seed: number, mutant: Mutant | undefined): Setting {
  if (mutant?.setting !== undefined) return mutant.setting;
  if (mutant === undefined && seed % fileEvery === 0) return 'file';
  return seed % embeddedEvery === 3 ? 'embedded' : 'fleet';
}

/** A seed in which nothing happened shows nothing. */
function tooLittle({ stats }: SimResult): readonly string[] {
  const { commits, workers, faults } = stats;
  const found = [];
  // Answers that come together make fewer commits than without faults, but not half as many.
  if (commits < leastCommits / 2) found.push(`only ${commits} commits`);
  if (workers < 2) found.push('only one worker');
  if (Object.values(faults).every((count) => count === 0)) found.push('no fault');
  return found;
}

interface Calm {
  readonly endings: Endings;
  readonly commits: number;
}

const known = new Map<string, Calm>();

/** How a run and its children end when nothing goes wrong. */
async function calm(run: ChosenRun): Promise<Calm> {
  let found = known.get(run.id);
  if (found === undefined) {
    const { violations, endings, stats } = await simulate({ seed: 1, runs: [run], calm: true });
    if (violations.length > 0) throw new Error(`without faults ${run.id}: ${violations.join('; ').slice(0, 300)}`);
    found = { endings, commits: stats.commits };
    known.set(run.id, found);
  }
  return found;
}

/** Some runs, no two the same. */
async function chooseRuns(world: World): Promise<readonly ChosenRun[]> {
  const chosen = new Map<string, ChosenRun>();
  for (let commits = 0; commits < leastCommits; ) {
    const workload = world.pick(workloads);
    const variant = world.below(workload.variants);
    const id = `${workload.name}-${variant}`;
    if (chosen.has(id)) continue;
    const run = { id, workload, variant };
    chosen.set(id, run);
    commits += (await calm(run)).commits;
  }
  return [...chosen.values()];
}
