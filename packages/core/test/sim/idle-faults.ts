import type { Entry } from '../../src/record/record.ts';
import { callKey, taskKey } from '../../src/runner/run-state.ts';

/** What of a payload says whose record it is, and what for. */
interface Told {
  readonly node: string;
  readonly item?: number | undefined;
  readonly name?: string | undefined;
  readonly n?: number | undefined;
  readonly wait?: string | undefined;
  readonly again?: boolean | undefined;
  readonly seen?: number | undefined;
  readonly answer?: number | undefined;
  readonly took?: unknown;
  readonly dropped?: unknown;
  readonly retryAt?: number | undefined;
}

/** A task that waits. */
interface Parked {
  /** How much of the journal it had seen when it parked. */
  seen: number;
  /** The last record that it had a reason to run for. */
  cause: number;
  /** Its steps that will be tried again. */
  readonly backoffs: Set<string>;
}

/** A run that waits writes nothing: a task that parks again, or a wake-up for nothing, follows upon something new. */
export function idleFaults(run: string, journal: readonly Entry[]): readonly string[] {
  const faults: string[] = [];
  const tasks = new Map<string, Parked>();
  let isIdle = false;
  for (const { seq, kind, payload } of journal) {
    const told = (payload ?? {}) as unknown as Told;
    if (kind === 'step' || kind === 'turn') tasks.clear();
    const wasIdle = isIdle;
    isIdle = kind === 'timer' && told.wait === undefined;
    if (isIdle && wasIdle) faults.push(`${run}@${seq}: a run that waits was woken for nothing, twice`);
    // With its answer at hand a task goes on.
    if (kind === 'wait' && told.answer === undefined) {
      const parked = taskOf(tasks, told);
      if (told.again === true && !mayParkAgain(parked, told)) {
        faults.push(`${run}@${seq}: task ${taskKey(told)} waits and ran for nothing`);
      }
      parked.seen = told.seen ?? seq - 1;
    } else if (!isIdle) noteCause(tasks, { seq, kind, told });
  }
  return faults;
}

function mayParkAgain({ cause, seen, backoffs }: Parked, { took, dropped }: Told): boolean {
  return cause > seen || backoffs.size > 0 || took !== undefined || dropped !== undefined;
}

function noteCause(
  tasks: Map<string, Parked>,
  { seq, kind, told }: { readonly seq: number; readonly kind: Entry['kind']; readonly told: Told },
): void {
  switch (kind) {
    case 'result':
    case 'intent':
    case 'attempt':
    case 'wait': {
      const parked = taskOf(tasks, told);
      parked.cause = seq;
      if (told.name === undefined) return;
      const key = callKey({ name: told.name, n: told.n });
      if (told.retryAt === undefined) parked.backoffs.delete(key);
      else parked.backoffs.add(key);
      return;
    }
    case 'answer':
    case 'message':
    case 'resolve':
    case 'timer':
    case 'resume':
    case 'cancel':
      for (const parked of tasks.values()) parked.cause = seq;
      return;
    default:
  }
}

function taskOf(tasks: Map<string, Parked>, place: Told): Parked {
  const key = taskKey(place);
  let parked = tasks.get(key);
  if (parked === undefined) {
    parked = { seen: 0, cause: 0, backoffs: new Set() };
    tasks.set(key, parked);
  }
  return parked;
}
