import { findRun } from '../../address/run-address.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openToWrite } from '../../project/open-engine.ts';
import { runTable } from '../look/runs.ts';

/** `holdfast cancel RUN…`. */
export const cancel: CommandFn<{ readonly reason?: string }> = async (context, names, { reason }) => {
  const { out } = context;
  await using engine = await openToWrite(context);
  // Find all of them before cancelling any: a typo in the last id must not leave the job half done.
  const found = await Promise.all(names.map(async (name) => (await findRun(engine, name)).id));
  const runs = await Promise.all([...new Set(found)].map((id) => engine.get(id)));
  for (const run of runs) await run.cancel(reason);
  const summaries = await Promise.all(runs.map((run) => run.summary()));
  await out.list({ names: { all: 'runs', one: 'run' }, items: summaries, human: (all) => runTable(out, all) });
  const leased = summaries.filter(
    ({ status }) => status !== 'cancelled' && status !== 'completed' && status !== 'failed',
  );
  if (leased.length > 0)
    out.hint('A worker is executing the others. It cancels them, or the next worker does if it dies.');
  return 0;
};
