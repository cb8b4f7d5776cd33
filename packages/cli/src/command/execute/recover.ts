import type { Engine, Run, RunSummary } from 'holdfast';
import { handleSignals } from '../../live/interrupt.ts';
import { dueText, unlessLeft } from '../../live/left-run.ts';
import { counted } from '../../output/counted.ts';
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
  for await (const { id, kind } of engine.runs({ status: ['pending', 'running', 'waiting'] })) {
    if (kind === 'graph') unfinished.push(id);
  }
  const recovered = await engine.recover();
  out.hint(`Recovered ${counted(recovered, 'run')}.`);
  try {
    // Includes runs that another process executes: their outcome is reported too.
    await Promise.all(unfinished.map(async (id) => waitWhileHere(engine, await engine.get(id), signal)));
  } catch (error) {
    const exitCode = interrupt.exitCode();
    if (exitCode === undefined) throw error;
    return exitCode;
  }
  const ended: RunSummary[] = [];
  const due = new Map<string, string>();
  for (const id of unfinished) {
    const summary = await (await engine.get(id)).summary();
    ended.push(summary);
    const text = await dueText(engine, summary);
    if (text !== undefined) due.set(id, text);
  }
  await out.list({ names: { all: 'runs', one: 'run' }, items: ended, human: (all) => runTable(out, all, due) });
  return 0;
};

/**
 * Resolves when the run ends or needs input. A run that may sleep for days is left to a worker, and so is one that is due
 * and whose graph is not among these files.
 */
async function waitWhileHere(engine: Engine, run: Run, signal: AbortSignal): Promise<void> {
  const { status, waits } = await run.summary();
  if (status === 'waiting' && waits.some((wait) => wait.kind === 'sleep')) return;
  await unlessLeft({ engine, run, signal, wait: (until) => run.outcome({ signal: until }) });
}
