import type { RunStatus, RunSummary } from 'holdfast';
import { findRun } from '../../address/run-address.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openToWrite } from '../../project/open-engine.ts';
import { runTable } from '../look/runs.ts';

/** `holdfast cancel RUN…`. */
export const cancel: CommandFn<{ readonly reason?: string }> = async (context, names, { reason }) => {
  const { out } = context;
  await using engine = await openToWrite(context);
  // Find all of them before cancelling any: a typo in the last id must not leave the job half done.
  const found = new Map<string, RunSummary>();
  for (const name of names) {
    const summary = await findRun(engine, name);
    found.set(summary.id, summary);
  }
  const runs = await Promise.all([...found.keys()].map((id) => engine.get(id)));
  for (const run of runs) await run.cancel(reason);
  const summaries = await Promise.all(runs.map((run) => run.summary()));
  await out.list({ names: { all: 'runs', one: 'run' }, items: summaries, human: (all) => runTable(out, all) });
  for (const { id, status } of found.values()) {
    if (hasEnded(status)) out.hint(`${id} had already ended (${status}). Nothing was cancelled.`);
  }
  const leased = summaries.filter(({ status }) => !hasEnded(status));
  if (leased.length > 0)
    out.hint('A worker is executing the others. It cancels them, or the next worker does if it dies.');
  return 0;
};

function hasEnded(status: RunStatus): boolean {
  return status === 'cancelled' || status === 'completed' || status === 'failed';
}
