import { setTimeout as sleep } from 'node:timers/promises';
import type { Engine, Run, RunSummary } from 'holdfast';

/** A worker that has the graph leases a due run within this time, unless it is busy. */
const graceMs = 2_000;
const pollMs = 250;

type Standing = Pick<RunSummary, 'id' | 'wakeAt' | 'worker'>;

/** Whether a run could continue, and no worker has it. */
function isDue({ wakeAt, worker }: Standing, now: number): boolean {
  return wakeAt !== null && wakeAt.getTime() <= now && worker === null;
}

/** Whether it has been due for so long that no worker seems to have its graph. */
function isLeft(run: Standing, now: number): boolean {
  return isDue(run, now - graceMs);
}

/** By the kind of the last record, which nobody has acted upon. */
const causes: Readonly<Record<string, string>> = {
  'run-start': 'submitted',
  turn: 'submitted',
  answer: 'answered',
  message: 'sent a message',
  settle: 'settled',
  resume: 'resumed',
};

/** Why a run is due, and whether a worker is missing: `answered, no worker has this graph`. Undefined if it is not due. */
export async function dueText(engine: Engine, run: Standing): Promise<string | undefined> {
  const now = Date.now();
  if (!isDue(run, now)) return undefined;
  const [last] = await engine.journal.tail(run.id, 1);
  const cause = causes[last?.kind ?? ''] ?? 'due';
  return isLeft(run, now) ? `${cause}, no worker has this graph` : cause;
}

interface WaitOptions<T> {
  readonly run: Run;
  readonly signal: AbortSignal;
  readonly wait: (signal: AbortSignal) => Promise<T>;
}

/** Waits for a run, but not for one that is due and that no worker continues: then the result is 'left'. */
export async function unlessLeft<T>({ run, signal, wait }: WaitOptions<T>): Promise<T | 'left'> {
  const left = new AbortController();
  const done = new AbortController();
  const watching = watchRun(run, done.signal).then((isGone) => isGone && left.abort());
  try {
    return await wait(AbortSignal.any([signal, left.signal]));
  } catch (error) {
    if (left.signal.aborted && !signal.aborted) return 'left';
    throw error;
  } finally {
    done.abort();
    await watching;
  }
}

async function watchRun(run: Run, signal: AbortSignal): Promise<boolean> {
  while (!signal.aborted) {
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    // Whoever waits for the run reports a failing store.
    const found = signal.aborted ? undefined : await run.summary().catch(() => undefined);
    if (found !== undefined && isLeft(found, Date.now())) return true;
  }
  return false;
}
