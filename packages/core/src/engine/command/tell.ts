import type { Env } from '../../env/env.ts';
import type { MetByAnswer } from './answer-run.ts';

interface Answering {
  readonly runId: string;
  readonly name: string;
  readonly by: string | undefined;
}

/** Tells whoever observes the engine about an answer: given, or refused. The child run tells about one of its questions. */
export async function toldAnswer(
  { observe }: Env,
  answering: Answering,
  give: () => Promise<MetByAnswer>,
): Promise<MetByAnswer> {
  if (observe === undefined) return give();
  const { runId, name, by } = answering;
  const who = by === undefined ? '' : ` by ${by}`;
  const what = `"${name}" of run "${runId}"`;
  try {
    const met = await give();
    const message = `${what} was answered${who}.`;
    if (met.inner === undefined) observe.event({ ...answering, type: 'answer', level: 'info', message });
    return met;
  } catch (error) {
    const message = `An answer${who} to ${what} was refused. ${String(error)}`;
    observe.event({ ...answering, type: 'answer-refused', level: 'info', message, error });
    throw error;
  }
}

/** Tells whoever observes the engine about a fork. */
export function tellFork({ observe }: Env, runId: string, forkOf: string): void {
  observe?.event({
    type: 'fork',
    level: 'info',
    message: `Run "${runId}" was forked from "${forkOf}".`,
    runId,
    forkOf,
  });
}
