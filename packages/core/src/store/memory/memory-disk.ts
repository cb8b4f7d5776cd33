import type { MemoryRun } from './memory-run.ts';

/** What outlives a memory driver: the "disk" that several of them may share, and the next one opens again. */
export class MemoryDisk {
  readonly runs: Map<string, MemoryRun> = new Map();
  /** When each worker's lease ends. */
  readonly workers: Map<string, number> = new Map();
  readonly listeners: Set<(runId: string | undefined) => void> = new Set();

  /** The runs that stand on this one; hidden ones count, because their own forks read through them. */
  forksOf(runId: string): readonly MemoryRun[] {
    return [...this.runs.values()].filter((other) => other.forkedAt?.runId === runId);
  }

  tell(runId: string): void {
    for (const listener of this.listeners) listener(runId);
  }
}
