import { holdfastError } from '../../errors/holdfast-error.ts';
import { checkBy } from '../../value/check/check-by.ts';
import { checkOptions, invalidOption, type KnownOptions } from '../../value/check/check-options.ts';
import { printable } from '../../value/printable.ts';
import { workerLabel } from '../lease/incarnation.ts';
import { notFound } from '../not-found.ts';
import type { EngineParts } from '../parts.ts';
import { endSuspensionOfChildren } from './end-suspension.ts';
import { checkMaxSupersteps } from './prepare-start.ts';
import { ended } from './start-run.ts';

/** Options of a resume. */
export interface ResumeOptions {
  readonly maxSupersteps?: number | undefined;
  /** 'diverged': the changed code continues without the calls that the run has recorded in its open super-step. */
  readonly accept?: 'diverged' | undefined;
  readonly by?: string | undefined;
}

const known: KnownOptions<ResumeOptions> = { maxSupersteps: true, accept: true, by: true };

/**
 * Continues a suspended, failed, paused or interrupted run: here if its code is available, otherwise in a worker. Does
 * nothing for a completed run.
 *
 * @throws HOLDFAST_NOT_FOUND, HOLDFAST_RUN_LEASED, HOLDFAST_RUN_ENDED, HOLDFAST_INVALID_OPTION
 */
export async function resumeRun(parts: EngineParts, runId: string, options: ResumeOptions): Promise<void> {
  const { maxSupersteps, accept, ...rest } = checkOptions('resume()', options, known);
  const by = checkBy(rest.by);
  checkMaxSupersteps(maxSupersteps);
  if (accept !== undefined && accept !== 'diverged') throw unknownAccept(accept);
  const { store, env, worker, registry, executes, changes } = parts;
  const before = await store.header(runId);
  if (before === undefined || before.kind === 'journal') throw notFound(runId, before?.kind);
  if (before.status === 'completed') return;
  if (before.status === 'cancelled') throw ended(runId, 'cancelled');
  if (worker.whenDone(runId) !== undefined) return;
  // Children first: if this process dies in between, the run is still suspended and can be resumed again.
  await endSuspensionOfChildren(parts, before);
  const endReservation = executes ? worker.admission.request() : undefined;
  const isLeased = await worker
    .lease(runId, async (lease, header) => {
      const payload = {
        ...(maxSupersteps !== undefined && { maxSupersteps }),
        ...(accept !== undefined && { accept }),
        ...by,
      };
      const isHere = endReservation !== undefined && registry.has(header);
      const at = env.clock.now();
      await lease.commit([{ kind: 'resume', at, payload }], isHere ? {} : { releaseUntil: at });
      if (isHere) await worker.execute(lease, { ...header, claims: 0 });
      return true;
    })
    .finally(endReservation);
  if (!isLeased) throw runLeased(runId, before.worker);
  changes.tell(runId);
}

function unknownAccept(accept: unknown): Error {
  return invalidOption('accept', `resume() cannot accept "${printable(String(accept))}". Pass accept: 'diverged'.`);
}

function runLeased(runId: string, worker: string | null): Error {
  const by = worker === null ? 'another worker' : `worker ${workerLabel(worker)}`;
  return holdfastError(
    'HOLDFAST_RUN_LEASED',
    `Run "${runId}" is executed by ${by}. Wait for it, or stop that worker.`,
    {
      details: { runId, worker },
    },
  );
}
