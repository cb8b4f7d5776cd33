import { holdfastError } from '../../errors/holdfast-error.ts';
import { loadRun } from '../../runner/fold/load-run.ts';
import { RunLease } from '../../runner/run-lease.ts';
import type { EngineParts } from '../parts.ts';
import { endSuspensionOfChildren } from './end-suspension.ts';
import { notFound } from './external-writes.ts';
import { ended } from './start-run.ts';

/** What a resumed run may be told. */
export interface ResumeOptions {
  readonly maxSupersteps?: number | undefined;
}

/**
 * Continues a suspended, failed, paused or interrupted run: here if its code is here, otherwise in a worker. A completed
 * run has nothing to continue, and nothing happens.
 *
 * @throws HOLDFAST_NOT_FOUND, HOLDFAST_RUN_LEASED, HOLDFAST_RUN_ENDED
 */
export async function resumeRun(parts: EngineParts, runId: string, { maxSupersteps }: ResumeOptions): Promise<void> {
  const { store, env, worker, registry, executes, changes } = parts;
  const before = await store.header(runId);
  if (before === undefined || before.kind === 'journal') throw notFound(runId);
  if (before.status === 'completed') return;
  if (before.status === 'cancelled') throw ended(runId, 'cancelled');
  if (worker.whenDone(runId) !== undefined) return;
  // Children first: should this process die in between, the run is still suspended and can be resumed again.
  await endSuspensionOfChildren(parts, before);
  const isTaken = await worker.taking(async () => {
    const [header] = await worker.take(runId);
    if (header === undefined) return false;
    const loaded = await loadRun(store, header);
    const owned = new RunLease({ store, env, header, ...loaded });
    const payload = maxSupersteps === undefined ? {} : { maxSupersteps };
    const goesOnHere = executes && registry.find(header) !== undefined;
    const options = goesOnHere ? {} : { leaveUntil: env.clock.now() };
    await owned.commit([{ kind: 'resume', at: env.clock.now(), payload }], options);
    const after = await store.header(runId);
    if (goesOnHere && after !== undefined) await worker.adopt(after);
    return true;
  });
  if (!isTaken) throw leased(runId, before.worker);
  changes.tell(runId);
}

function leased(runId: string, worker: string | null): Error {
  return holdfastError(
    'HOLDFAST_RUN_LEASED',
    `Run ${runId} is executed by ${worker ?? 'another process'}. Wait for it, or end that process.`,
    {
      details: { runId, by: worker },
    },
  );
}
