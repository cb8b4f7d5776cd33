import { isList, type Job, nameOf } from './job.ts';
import type { LaneOrders, LaneResult } from './lane-result.ts';
import { runLanes } from './run-lanes.ts';
import { storePlaces } from './workspace.ts';

interface RunJobOptions {
  /** How many lanes run side by side. */
  readonly lanes: number;
  readonly seed: number;
  /** Only every so many of a list of things to try; default 1. */
  readonly every?: number | undefined;
  readonly onPart?: ((part: LaneResult) => void) | undefined;
}

/** Runs a job in lanes. A mutant's stops at the first violation; the others continue to find all where the list is finite. */
export async function runJob(job: Job, { lanes, seed, every = 1, onPart }: RunJobOptions): Promise<LaneResult> {
  const share = (of: number, at: number): number => Math.floor(of / lanes) + (at < of % lanes ? 1 : 0);
  const orders = Array.from(
    { length: lanes },
    (_, part): LaneOrders => ({
      ...job,
      cycles: share(job.cycles, part),
      hits: share(job.hits ?? 0, part),
      seed: seed + part * 1_000_003,
      part,
      parts: lanes * every,
      goOn: isList(job.harness) && job.mutant === undefined,
      directory: directoryFor(job, part),
    }),
  );
  return runLanes(
    orders.filter(({ cycles }) => cycles > 0),
    { onPart },
  );
}

/** On a disk a commit is mostly its sync, in memory mostly the rest: kills shall hit both. */
function directoryFor({ harness }: Job, part: number): string {
  const { disk, memory } = storePlaces();
  if (harness === 'processes') return disk;
  return harness === 'kill' && part % 2 === 1 ? disk : memory;
}

/** A line for a person. */
export function describeResult(job: Job, result: LaneResult, ms: number): string {
  const { cycles, acknowledged, hits, mended, violations } = result;
  const pace = `${Math.round(ms / 100) / 10} s, ${Math.round(ms / Math.max(1, cycles))} ms a cycle`;
  if (job.mutant !== undefined) {
    const outcome = violations[0] === undefined ? 'not caught' : `caught (${violations[0].kind})`;
    return `${nameOf(job)}: ${outcome} after ${cycles} cycles, ${pace}`;
  }
  const share = `${Math.round((100 * hits) / Math.max(1, cycles))}%`;
  return `${nameOf(job)}: ${cycles} cycles, ${acknowledged} acknowledged, ${share} hit, ${mended} mended, ${violations.length} violations, ${pace}`;
}
