import { loadJournal, type RunJournal } from '../../journal/run-journal.ts';
import type { Decision } from '../../journal/run-writer.ts';
import type { RunState } from '../../runner/fold/run-state.ts';
import { findRun, type LoadedRun } from '../../runner/load-run.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import { isStoreFailure } from '../lease/refusal.ts';
import { notFound } from '../not-found.ts';
import type { EngineParts } from '../parts.ts';

/** Decides what to write, given the run as it was found. */
type Decide = (state: RunState, found: LoadedRun) => Promise<Decision<void>> | Decision<void>;

/** Nothing needs to be written. */
export const nothing: Decision<void> = { done: undefined };

/** Writes to a run as an external writer. Decides on the current run, and returns the header that it decided on. @throws HOLDFAST_NOT_FOUND */
export function writeAsExternal(parts: EngineParts, runId: string, decide: Decide): Promise<RunHeader> {
  const read = (): Promise<LoadedRun | undefined> => findRun(parts.store, runId);
  return write(parts, runId, { read, decide: (found) => decide(found.state, found) });
}

/** The same for a decision that needs only the header, and where a record id is known from: its cost does not depend on what the run holds. @throws HOLDFAST_NOT_FOUND */
export function writeByHeader(
  parts: EngineParts,
  runId: string,
  decide: (found: RunJournal) => Promise<Decision<void>> | Decision<void>,
  { id }: { readonly id?: string | undefined } = {},
): Promise<RunHeader> {
  return write(parts, runId, { read: () => loadJournal(parts.store, runId, { id }), decide });
}

async function write<F extends { readonly header: RunHeader }>(
  { writer, leases, worker, executes }: EngineParts,
  runId: string,
  {
    read,
    decide,
  }: {
    readonly read: () => Promise<F | undefined>;
    readonly decide: (found: F) => Promise<Decision<void>> | Decision<void>;
  },
): Promise<RunHeader> {
  let header: RunHeader | undefined;
  await leases.knowTime();
  const decideHere = (found: F | undefined): Promise<Decision<void>> | Decision<void> => {
    header = found?.header;
    if (found === undefined || found.header.hidden || found.header.kind === 'journal') throw notFound(runId);
    return decide(found);
  };
  try {
    await writer.writeOn(runId, { read, decide: decideHere });
  } catch (error) {
    // It may have happened, and made the run due, although nobody can tell the caller.
    if (executes && isStoreFailure(error)) worker.wakeUps.later(runId);
    throw error;
  }
  if (header === undefined) throw notFound(runId);
  return header;
}
