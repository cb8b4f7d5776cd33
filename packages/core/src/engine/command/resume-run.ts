import { holdfastError } from '../../errors/holdfast-error.ts';
import { loadRun } from '../../runner/fold/load-run.ts';
import { OwnedRun } from '../../runner/run-lease.ts';
import { endHoldOfChildren } from '../lease/suspended.ts';
import type { EngineParts } from '../parts.ts';
import { notFound } from './external-writes.ts';
import { ended } from './start-run.ts';

/** What a resumed run may be told. */
export interface ResumeOptions {
  readonly maxSteps?: number | undefined;
}

/**
 * Lets a failed, paused or interrupted run go on: here, if its code is here, otherwise in a worker. A completed run has
 * nothing to go on with, and nothing happens.
 *
 * @throws HOLDFAST_NOT_FOUND, HOLDFAST_HELD, HOLDFAST_RUN_ENDED
 */
export async function resumeRun(parts: EngineParts, run: string, { maxSteps }: ResumeOptions): Promise<void> {
  const { store, env, worker, registry, executes, changes } = parts;
  const before = await store.header(run);
  if (before === undefined || before.loop) throw notFound(run);
  if (before.status === 'completed') return;
  if (before.status === 'cancelled') throw ended(run, 'cancelled');
  if (worker.whenDone(run) !== undefined) return;
  const isTaken = await worker.taking(async () => {
    const [header] = await worker.take(run);
    if (header === undefined) return false;
    const loaded = await loadRun(store, header);
    const owned = new OwnedRun({ store, env, header, ...loaded });
    const payload = maxSteps === undefined ? {} : { maxSteps };
    const goesOnHere = executes && registry.find(header) !== undefined;
    const options = goesOnHere ? {} : { leaveUntil: env.clock.now() };
    await owned.commit([{ kind: 'resume', at: env.clock.now(), payload }], options);
    const after = await store.header(run);
    if (goesOnHere && after !== undefined) await worker.adopt(after);
    return true;
  });
  if (!isTaken) throw held(run, before.worker);
  changes.tell(run);
  await endHoldOfChildren(parts, before);
}

function held(run: string, worker: string | null): Error {
  return holdfastError(
    'HOLDFAST_HELD',
    `Run ${run} is executed by ${worker ?? 'another process'}. Wait for it, or end that process.`,
    {
      details: { run, by: worker },
    },
  );
}
