import type { CheckedStore } from '../../store/checked-store.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import type { RunLeaseInfo } from '../graph-run.ts';
import { workerLabel } from '../lease/incarnation.ts';

/** The lease of a run, and whether its worker lives. Null if no worker leases it. */
export async function leaseOf(
  store: CheckedStore,
  { worker, fence, claims }: Pick<RunHeader, 'worker' | 'fence' | 'claims'>,
): Promise<RunLeaseInfo | null> {
  if (worker === null) return null;
  const { granted, nextDueAt } = await store.claim({ type: 'alive', worker });
  const until = granted && nextDueAt !== null ? new Date(nextDueAt) : undefined;
  return { worker: workerLabel(worker), fence, until, takeovers: claims };
}
