import type { LeaseClock } from './lease-clock.ts';
import type { LeaseTable } from './lease-table.ts';

/** How long to wait between two looks: fewer where there are many workers, because each looks at all others. */
const lookMs = 250;
const perWorkerMs = 5;

/** Counts the workers that are known to have died. However often it is asked, it looks only now and then. */
export function deathsOf(leases: LeaseTable, clock: LeaseClock): () => number {
  let nextLookMs = Number.NEGATIVE_INFINITY;
  let known: ReadonlySet<string> = new Set();
  let count = 0;
  return () => {
    const now = clock.now();
    if (now < nextLookMs) return count;
    nextLookMs = now + lookMs;
    const { living, dead } = leases.workers();
    nextLookMs += perWorkerMs * living.size;
    for (const worker of dead) if (!known.has(worker)) count += 1;
    known = dead;
    return count;
  };
}
