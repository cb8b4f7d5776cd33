import { holdfastError } from '../../errors/holdfast-error.ts';
import { RunWriter } from '../../journal/run-writer.ts';
import { invalidOption } from '../../value/check/check-options.ts';
import { Leases } from '../lease/leases.ts';
import { isSuspended } from '../lease/suspended.ts';
import type { EngineParts } from '../parts.ts';

/** The parts of an engine inside a transaction that the user has open on a client. */
export interface PartsWithin {
  readonly parts: EngineParts;
  /** Whether the transaction is known to be open still. */
  readonly isOpen: () => boolean;
}

/** What reads and writes inside the user's transaction. Nothing continues there: that begins with the COMMIT. @throws HOLDFAST_INVALID_OPTION */
export function partsWithin(parts: EngineParts, client: unknown): PartsWithin {
  if (typeof client !== 'object' || client === null)
    throw invalidOption('within', 'The option "within" must be the client of an open transaction.');
  const { store, isOpen } = parts.store.within(client);
  const { worker } = parts.leases;
  const { leaseMs } = parts;
  const env = { ...parts.env, clock: store.clock };
  const leases = new Leases({ store, env, worker, leaseMs, onOrphan: () => {} });
  return { parts: { ...parts, store, env, leases, writer: new RunWriter(store, env) }, isOpen };
}

/** Refuses a suspended run: an answer continues it and its children, which takes more than one transaction. @throws HOLDFAST_SUSPENDED */
export async function checkNotSuspended({ store }: EngineParts, runId: string): Promise<void> {
  const header = await store.header(runId);
  if (header === undefined || !isSuspended(header)) return;
  throw holdfastError(
    'HOLDFAST_SUSPENDED',
    `Run "${runId}" is suspended and cannot be answered within a transaction. Call resume() first, or answer it without "within".`,
    { details: { runId } },
  );
}
