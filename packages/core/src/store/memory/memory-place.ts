import type { HintListener } from '../contract/driver.ts';
import type { MemoryRun } from './memory-run.ts';

/** The lease of a worker. */
interface WorkerLease {
  readonly until: number;
  readonly process: string | null;
}

/** How long the epoch of a run that does not exist is kept. */
const voidMs = 86_400_000;

/** An epoch, and since when it is kept. */
interface VoidEpoch {
  readonly epoch: number;
  readonly at: number;
}

/** The data of a memory store. It outlives a driver, and several drivers may share it. */
export class MemoryPlace {
  readonly runs: Map<string, MemoryRun> = new Map();
  /** When each worker's lease ends, and its process. */
  readonly workers: Map<string, WorkerLease> = new Map();
  /** When each duty was last granted. */
  readonly duties: Map<string, number> = new Map();
  /** Epochs of runs that do not exist: their creation was in doubt, or they were removed. */
  readonly voids: Map<string, VoidEpoch> = new Map();
  readonly listeners: Set<HintListener> = new Set();

  /** The forks of a run, including hidden ones: their own forks read through them. */
  forksOf(runId: string): readonly MemoryRun[] {
    return [...this.runs.values()].filter((other) => other.fixed.forkedAt?.runId === runId);
  }

  /** Keeps the epoch of a run that does not exist. Those that are a day old go. */
  keepVoid(runId: string, kept: VoidEpoch): void {
    for (const [id, { at }] of this.voids) if (at < kept.at - voidMs) this.voids.delete(id);
    this.voids.set(runId, kept);
  }

  hint(run: MemoryRun): void {
    const { runId, head } = run;
    const notDue = run.worker !== null || run.state.wakeAt === null;
    for (const listener of this.listeners) listener({ runId, head, notDue });
  }
}
