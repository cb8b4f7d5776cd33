import type { Decision } from '../../journal/run-writer.ts';
import { findRun, type LoadedRun } from '../../runner/fold/load-run.ts';
import type { RunState } from '../../runner/fold/run-state.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { notFound } from '../not-found.ts';
import type { EngineParts } from '../parts.ts';

/** Decides what to write, given the run as it was found. */
type Decide = (state: RunState, found: LoadedRun) => Promise<Decision<void>> | Decision<void>;

/** Nothing needs to be written. */
export const nothing: Decision<void> = { done: undefined };

/** Writes to a run as an external writer. Decides on the current run, and returns the header that it decided on. @throws HOLDFAST_NOT_FOUND */
export async function writeAsExternal(parts: EngineParts, runId: string, decide: Decide): Promise<RunHeader> {
  const { store, writer, leases } = parts;
  let header: RunHeader | undefined;
  await leases.knowTime();
  await writer.writeOn(runId, {
    read: () => findRun(store, runId),
    decide: (found) => {
      header = found?.header;
      if (found === undefined || found.header.hidden || found.header.kind === 'journal') throw notFound(runId);
      return decide(found.state, found);
    },
  });
  if (header === undefined) throw notFound(runId);
  return header;
}
