import type { Entry } from '../../src/record/record.ts';
import { callKey } from '../../src/runner/fold/call/call-type.ts';
import { taskKey } from '../../src/runner/fold/run-state.ts';

/** What the payload of a record says that matters here. */
interface Told {
  readonly node: string;
  readonly item?: number | undefined;
  readonly of?: number | undefined;
  readonly name?: string | undefined;
  readonly n?: number | undefined;
  readonly next?: readonly string[] | undefined;
  readonly id?: string | undefined;
  readonly until?: number | undefined;
  readonly wait?: string | undefined;
  readonly answer?: number | undefined;
  readonly again?: boolean | undefined;
  readonly seen?: number | undefined;
  readonly took?: unknown;
  readonly dropped?: unknown;
  readonly retryAt?: number | undefined;
}

interface Task {
  readonly node: string;
  /** How many tasks its node has. */
  readonly of: number;
  isDone: boolean;
  /** How much of the journal it had seen when it parked. */
  seen: number;
  /** The last record that it had a reason to run for. */
  cause: number;
  /** Its steps that will be tried again. */
  readonly backoffs: Set<string>;
}

/** Finds what was written to a run that waits and that nothing has woken. */
class IdleWatch {
  readonly faults: string[] = [];
  readonly #tasks = new Map<string, Task>();
  /** When the waits end by themselves. */
  readonly #untils = new Map<string, number>();
  #frontier: readonly string[] = [];
  #wasWokenInVain = false;

  see({ runId: run, seq, kind, at, payload }: Entry): void {
    const told = (payload ?? {}) as unknown as Told;
    const isInVain = kind === 'timer' && told.wait === undefined;
    // One such wake-up sets the run's header right; while the run has work, it is how a worker leaves it to others.
    if (isInVain && this.#wasWokenInVain && this.#waitsAt(at)) {
      this.faults.push(`${run}@${seq}: a run that waits was woken for nothing, again`);
    }
    this.#wasWokenInVain = isInVain;
    switch (kind) {
      case 'run-start':
      case 'superstep':
      case 'turn':
        this.#tasks.clear();
        this.#untils.clear();
        this.#frontier = told.next ?? [];
        return;
      case 'task':
        this.#task(told).isDone = true;
        return;
      case 'wait':
        return this.#seeWait(told, { run, seq });
      case 'result':
      case 'intent':
      case 'attempt':
        return this.#seeCall(told, seq);
      case 'answer':
      case 'message':
      case 'settle':
      case 'timer':
      case 'resume':
      case 'cancel':
        this.#untils.delete(told.wait ?? '');
        if (!isInVain) for (const task of this.#tasks.values()) task.cause = seq;
        return;
      default:
    }
  }

  #seeWait(told: Told, { run, seq }: { readonly run: string; readonly seq: number }): void {
    const task = this.#task(told);
    // With its answer at hand a task continues.
    if (told.answer !== undefined) {
      task.cause = seq;
      return;
    }
    const isProductive = told.again !== true || told.took !== undefined || told.dropped !== undefined;
    if (!isProductive && isParked(task)) {
      this.faults.push(`${run}@${seq}: task ${taskKey(told)} waits, and ran for nothing`);
    }
    task.seen = told.seen ?? seq - 1;
    if (told.id !== undefined && told.until !== undefined) this.#untils.set(told.id, told.until);
  }

  #seeCall(told: Told, seq: number): void {
    const task = this.#task(told);
    task.cause = seq;
    if (told.name === undefined) return;
    const key = callKey({ type: 'step', name: told.name, n: told.n });
    if (told.retryAt === undefined) task.backoffs.delete(key);
    else task.backoffs.add(key);
  }

  /** Whether every task of the open step is done or parked, and no time has come. */
  #waitsAt(now: number): boolean {
    const tasks = [...this.#tasks.values()];
    const isTraced = (name: string): boolean => {
      const own = tasks.filter(({ node }) => node === name);
      return own.length > 0 && own.length >= (own[0]?.of ?? 1);
    };
    if (!this.#frontier.every(isTraced) || [...this.#untils.values()].some((until) => until <= now)) return false;
    return tasks.some(isParked) && tasks.every((task) => task.isDone || isParked(task));
  }

  #task(told: Told): Task {
    const key = taskKey(told);
    let task = this.#tasks.get(key);
    if (task === undefined) {
      task = { node: told.node, of: told.of ?? 1, isDone: false, seen: 0, cause: 0, backoffs: new Set() };
      this.#tasks.set(key, task);
    }
    return task;
  }
}

function isParked({ isDone, seen, cause, backoffs }: Task): boolean {
  return !isDone && seen > 0 && cause <= seen && backoffs.size === 0;
}

/** What breaks the rule that a run which waits writes nothing until something wakes it. */
export function idleFaults(journal: readonly Entry[]): readonly string[] {
  const watch = new IdleWatch();
  for (const entry of journal) watch.see(entry);
  return watch.faults;
}
