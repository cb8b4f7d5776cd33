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
  readonly engine: Engine;
  readonly run: Run;
  readonly signal: AbortSignal;
  readonly wait: (signal: AbortSignal) => Promise<T>;
}

/** What was waited for, or the run that no worker continues: the one that was waited for, or one of its children. */
export type Waited<T> = { readonly done: T } | { readonly left: RunSummary };

/** Waits for a run, but not for one that is due and that no worker continues. */
export async function unlessLeft<T>({ engine, run, signal, wait }: WaitOptions<T>): Promise<Waited<T>> {
  const gaveUp = new AbortController();
  const over = new AbortController();
  const watching = watchRun(engine, run, over.signal).then((left) => {
    if (left !== undefined) gaveUp.abort();
    return left;
  });
  try {
    return { done: await wait(AbortSignal.any([signal, gaveUp.signal])) };
  } catch (error) {
    const left = gaveUp.signal.aborted && !signal.aborted ? await watching : undefined;
    if (left === undefined) throw error;
    return { left };
  } finally {
    over.abort();
    await watching;
  }
}

async function watchRun(engine: Engine, run: Run, signal: AbortSignal): Promise<RunSummary | undefined> {
  while (!signal.aborted) {
    await sleep(pollMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) return undefined;
    // Whoever waits for the run reports a failing store.
    const left = await leftWithin(engine, run).catch(() => undefined);
    if (left !== undefined) return left;
  }
  return undefined;
}

/** The first run that is left: this one, or a child that it waits for. */
async function leftWithin(engine: Engine, run: Run): Promise<RunSummary | undefined> {
  const waiting = [await run.summary()];
  // In a store that was tampered with, a run may be its own parent.
  const seen = new Set<string>();
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    if (isLeft(next, Date.now())) return next;
    if (seen.has(next.id) || !next.waits.some((wait) => wait.kind === 'child')) continue;
    seen.add(next.id);
    for await (const child of engine.runs({ parentId: next.id })) waiting.push(child);
  }
  return undefined;
}
