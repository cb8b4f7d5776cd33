import { findRun } from '../../address/run-address.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openToWrite } from '../../project/open-engine.ts';
import { runTable } from '../look/runs.ts';

/** `holdfast cancel RUN…`. */
export const cancel: CommandFn<{ readonly reason?: string }> = async (context, names, { reason }) => {
  const { out } = context;
  await using engine = await openToWrite(context);
  // All are found before one is cancelled: a typing mistake in the last must not leave half of it done.
  const found = await Promise.all(names.map(async (name) => (await findRun(engine, name)).id));
  const runs = await Promise.all([...new Set(found)].map((id) => engine.get(id)));
  for (const run of runs) await run.cancel(reason);
  const summaries = await Promise.all(runs.map((run) => run.summary()));
  await out.list({ names: { all: 'runs', one: 'run' }, items: summaries, human: (all) => runTable(out, all) });
  const held = summaries.filter(
    ({ status }) => status !== 'cancelled' && status !== 'completed' && status !== 'failed',
  );
  if (held.length > 0) out.hint('A worker holds the others: it ends them, or the next one does when it has died.');
  return 0;
};
