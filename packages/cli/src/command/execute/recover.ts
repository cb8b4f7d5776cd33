import type { RunSummary } from 'holdfast';
import { handleSignals } from '../../live/interrupt.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { openWithCode } from '../../project/open-engine.ts';
import { runTable } from '../look/runs.ts';

/** `holdfast recover`. */
export const recover: CommandFn<object> = async (context) => {
  const { out } = context;
  const { engine: opened } = await openWithCode(context);
  await using engine = opened;
  using interrupt = handleSignals();
  const { signal } = interrupt;
  const unfinished: string[] = [];
  for await (const { id, graph } of engine.runs({ status: ['pending', 'running', 'waiting'] })) {
    if (graph !== '') unfinished.push(id);
  }
  const recovered = await engine.recover();
  out.hint(`Recovered ${recovered} ${recovered === 1 ? 'run' : 'runs'}.`);
  try {
    // Includes runs that another process executes: their outcome is reported too.
    await Promise.all(unfinished.map(async (id) => waitWhileHere(await engine.get(id), signal)));
  } catch (error) {
    const exitCode = interrupt.exitCode();
    if (exitCode === undefined) throw error;
    return exitCode;
  }
  const ended: RunSummary[] = [];
  for (const id of unfinished) ended.push(await (await engine.get(id)).summary());
  await out.list({ names: { all: 'runs', one: 'run' }, items: ended, human: (all) => runTable(out, all) });
  return 0;
};

/** Resolves when the run ends or needs input. A run that may sleep for days is left to a worker. */
async function waitWhileHere(
  run: { outcome(options: { signal: AbortSignal }): Promise<unknown>; summary(): Promise<RunSummary> },
  signal: AbortSignal,
): Promise<void> {
  const { status, waits } = await run.summary();
  if (status === 'waiting' && waits.some((wait) => wait.startsWith('sleep:'))) return;
  await run.outcome({ signal });
}
