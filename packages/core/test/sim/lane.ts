import { parentPort, workerData } from 'node:worker_threads';
import { type Caught, catchMutant } from './catch-mutant.ts';
import { runSeeds, type SeedRange } from './run-seeds.ts';
import type { Failure, Totals } from './totals.ts';

/** What a thread is to do: simulate its share of the seeds, or catch some mutants. */
export type LaneTask = { readonly range: SeedRange } | { readonly mutants: readonly string[] };

/** What it tells: how many more seeds are done, one that failed, which mutant was caught or not, what came of all its seeds, and its end. */
export type LaneMessage =
  | { readonly progress: number }
  | { readonly failure: Failure }
  | { readonly caught: Caught }
  | { readonly totals: Totals }
  | 'done';

const tell = (message: LaneMessage): void => parentPort?.postMessage(message, []);
const task = workerData as LaneTask;

if ('mutants' in task) for (const name of task.mutants) tell({ caught: await catchMutant(name) });
else {
  let told = 0;
  const totals = await runSeeds(task.range, ({ seeds, failures }) => {
    if (seeds % 100 === 0) tell({ progress: 100 });
    for (const failure of failures.slice(told)) tell({ failure });
    told = failures.length;
    return failures.length < 10;
  });
  tell({ totals });
}
tell('done');
