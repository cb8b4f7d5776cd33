import type { NewEntry } from '../../../record/record.ts';
import { frozenCopy } from '../../../value/frozen/frozen-copy.ts';
import { randomUuid } from '../../../value/random-uuid.ts';
import { callKey } from '../../fold/call/call-type.ts';
import type { DrawnType } from '../../fold/payload.ts';
import { storeError } from '../../fold/stored-error.ts';
import type { TaskSpec } from '../../plan/plan-tasks.ts';
import type { TaskHost } from '../task-host.ts';

/** The task whose body draws. */
interface DrawingTask {
  readonly host: Pick<TaskHost, 'env' | 'owned'>;
  readonly spec: TaskSpec;
  readonly attempt: number;
  readonly isDead: boolean;
}

/** What earlier executions of the body drew and logged. */
interface DrawnBefore {
  readonly drawn: ReadonlyMap<string, unknown> | undefined;
  readonly logged: number;
}

/**
 * What a body draws and logs. It needs no commit: it is written with the next record of its task, before anything can
 * depend on it outside of the body.
 */
export class DrawnValues {
  readonly #task: DrawingTask;
  readonly #before: DrawnBefore;
  readonly #counts = new Map<DrawnType, number>();
  #logged = 0;
  #unwritten: NewEntry[] = [];

  constructor(task: DrawingTask, before: DrawnBefore) {
    this.#task = task;
    this.#before = before;
  }

  /** Milliseconds since 1970. */
  now(): number {
    const { clock } = this.#task.host.env;
    return this.#draw('now', () => clock.now()) as number;
  }

  uuid(): string {
    const { random } = this.#task.host.env;
    return this.#draw('uuid', () => randomUuid(random)) as string;
  }

  log(message: unknown, data: unknown): void {
    const inStep = this.#isInStep();
    if (!inStep) {
      this.#logged += 1;
      if (this.#logged <= this.#before.logged) return;
    }
    const { spec, attempt } = this.#task;
    this.#write('log', {
      ...spec.place,
      ...(attempt > 1 && { attempt }),
      ...(inStep && { inStep }),
      ...line(message, data),
    });
  }

  /** Adds everything that is not written yet to the next commit. */
  keep(): void {
    for (const entry of this.#unwritten.splice(0)) this.#task.host.owned.add(entry);
  }

  /** A step draws without the journal: its result is journalled, and the body runs again without it. */
  #draw(type: DrawnType, draw: () => unknown): unknown {
    if (this.#isInStep()) return draw();
    const n = this.#counts.get(type) ?? 0;
    this.#counts.set(type, n + 1);
    // The dot is reserved: no wait of the same node has this name.
    const call = { type, name: `.${type}`, ...(n > 0 && { n }) };
    const key = callKey(call);
    const known = this.#before.drawn?.get(key);
    if (known !== undefined) return known;
    const value = draw();
    this.#write('result', { ...this.#task.spec.place, ...call, value });
    return value;
  }

  #write(kind: 'log' | 'result', payload: object): void {
    const { isDead, host } = this.#task;
    if (!isDead) this.#unwritten.push({ kind, at: host.env.clock.now(), payload });
  }

  #isInStep(): boolean {
    return this.#task.host.env.calls.owner() === this.#task;
  }
}

/** A line is one that people read. */
const longestMessage = 10_000;

/** Logging must not fail what it tells about. */
function line(message: unknown, data: unknown): { readonly message: string; readonly data?: unknown } {
  const text = textOf(message).slice(0, longestMessage);
  if (data === undefined) return { message: text };
  try {
    return { message: text, data: data instanceof Error ? storeError(data) : frozenCopy(data) };
  } catch (error) {
    return { message: text, data: `[not stored] ${(error as Error).message}` };
  }
}

/** What is no text, whatever its type says, may throw on its way to one, or take for ever. */
function textOf(message: unknown): string {
  try {
    if (message instanceof Error) return message.toString();
    if (typeof message === 'string' || typeof message === 'number' || typeof message === 'boolean') return `${message}`;
    return Object.prototype.toString.call(message);
  } catch {
    return '[no text]';
  }
}
