import type { WorkerLease } from '../runner/run-lease.ts';

/** The lease of a worker that never stood still. */
export const livingWorker: WorkerLease = { mayHaveEnded: false, lapses: 0, renew: async () => undefined };
