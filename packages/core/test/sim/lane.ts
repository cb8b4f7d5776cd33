import { parentPort, workerData } from 'node:worker_threads';
import { runSeeds, type SeedRange } from './run-seeds.ts';

/** A thread that simulates its share of the seeds and tells what came of them. */
const totals = await runSeeds(workerData as SeedRange, ({ seeds, failures }) => {
  if (seeds % 100 === 0) parentPort?.postMessage({ progress: 100 }, []);
  return failures.length < 10;
});
parentPort?.postMessage({ totals }, []);
