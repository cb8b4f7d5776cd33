import type { ClaimRequest, ClaimResult, GraphName } from '../contract.ts';
import type { MemoryDisk } from './memory-disk.ts';
import type { MemoryRun } from './memory-run.ts';

interface ClaimOptions {
  readonly disk: MemoryDisk;
  readonly request: ClaimRequest;
  readonly now: number;
}

/** Leases in memory: who lives, who holds what, and which runs are free to take. */
export function answerClaim({ disk, request, now }: ClaimOptions): ClaimResult {
  const lives = (worker: string | null): boolean => worker !== null && (disk.workers.get(worker) ?? 0) > now;
  const alive = lives(request.worker);
  const isFree = (run: MemoryRun): boolean => run.fixed.kind === 'graph' && !run.hidden && !lives(run.worker);
  switch (request.type) {
    case 'heartbeat':
      disk.workers.set(request.worker, now + request.leaseMs);
      return { claimed: [], alive };
    case 'release':
      release(disk, request);
      return { claimed: [], alive };
    case 'one': {
      const run = disk.runs.get(request.runId);
      const taken = alive && run !== undefined && isFree(run);
      return { claimed: taken ? [run.claim(request.worker)] : [], alive };
    }
    case 'due': {
      if (!alive) return { claimed: [], alive };
      const due = [...disk.runs.values()].filter(
        (run) => run.wakeAt !== null && run.wakeAt <= now && isFree(run) && isNamed(run, request.graphs),
      );
      due.sort((a, b) => (a.wakeAt as number) - (b.wakeAt as number) || (a.runId < b.runId ? -1 : 1));
      return { claimed: due.slice(0, request.limit).map((run) => run.claim(request.worker)), alive };
    }
  }
}

function isNamed({ fixed }: MemoryRun, graphs: readonly GraphName[]): boolean {
  return graphs.some(({ name, version }) => name === fixed.graph && (version ?? fixed.version) === fixed.version);
}

function release(disk: MemoryDisk, { worker, runs }: ClaimRequest & { readonly type: 'release' }): void {
  if (runs === undefined) disk.workers.delete(worker);
  for (const run of disk.runs.values()) {
    if (run.worker === worker && (runs?.includes(run.runId) ?? true)) run.worker = null;
  }
}
