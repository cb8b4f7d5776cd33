import { type Listing, listing } from '../async/listing.ts';
import { isOptions } from '../graph/draft/is-options.ts';
import type { Run, RunEvent, StartedRun } from './graph-run.ts';

type Given<M extends keyof Run> = Run[M] extends (...given: infer A) => unknown ? A : never;
type Result<M extends keyof Run> = Run[M] extends (...given: never) => infer R ? R : never;

/** A promise of a run with the run's methods. Each waits for the run; its caller gets the error of either. */
class RunPromise extends Promise<Run> implements StartedRun {
  readonly id: string;
  readonly #newId: () => string;

  constructor(id: string, run: Promise<Run>, newId: () => string) {
    super((resolve) => resolve(run));
    this.id = id;
    this.#newId = newId;
  }

  /** What `then` returns is a plain promise: of a result, not of a run. */
  static override get [Symbol.species](): PromiseConstructor {
    return Promise;
  }

  /** What console.log prints: Node leaves marks of its own on promises. */
  [Symbol.for('nodejs.util.inspect.custom')](): string {
    return `StartedRun { id: '${this.id}' }`;
  }

  async outcome(...given: Given<'outcome'>): Promise<Awaited<Result<'outcome'>>> {
    return (await this).outcome(...given);
  }

  async result(...given: Given<'result'>): Promise<unknown> {
    return (await this).result(...given);
  }

  emits(...given: Given<'emits'>): AsyncGenerator {
    return this.#later((run) => run.emits(...given));
  }

  events(...given: Given<'events'>): AsyncGenerator<RunEvent> {
    return this.#later((run) => run.events(...given));
  }

  async answer(...given: Given<'answer'>): Promise<void> {
    return (await this).answer(...given);
  }

  async send(...given: Given<'send'>): Promise<void> {
    return (await this).send(...given);
  }

  async settle(...given: Given<'settle'>): Promise<void> {
    return (await this).settle(...given);
  }

  async summary(): Result<'summary'> {
    return (await this).summary();
  }

  async lease(): Result<'lease'> {
    return (await this).lease();
  }

  history(...given: Given<'history'>): Result<'history'> {
    return this.#listed((run) => run.history(...given));
  }

  async state(...given: Given<'state'>): Promise<Awaited<Result<'state'>>> {
    return (await this).state(...given);
  }

  async checkpoint(...given: Given<'checkpoint'>): Promise<Awaited<Result<'checkpoint'>>> {
    return (await this).checkpoint(...given);
  }

  async diff(...given: Given<'diff'>): Promise<Awaited<Result<'diff'>>> {
    return (await this).diff(...given);
  }

  fork(options: Given<'fork'>[0] = {}): StartedRun {
    const id = idIn(options, this.#newId);
    return startedRun(
      id,
      this.then((run) => run.fork(withId(options, id))),
      this.#newId,
    );
  }

  resume(...given: Given<'resume'>): StartedRun {
    return startedRun(
      this.id,
      this.then((run) => run.resume(...given)),
      this.#newId,
    );
  }

  async cancel(...given: Given<'cancel'>): Promise<void> {
    return (await this).cancel(...given);
  }

  #listed<T>(read: (run: Run) => AsyncIterable<T>): Listing<T> {
    this.#markHandled();
    return listing(() => this.#later(read));
  }

  /** The reader of a stream gets the error. That may be later than a rejection is reported as unhandled. */
  #markHandled(): void {
    this.catch(() => undefined);
  }

  #later<T>(read: (run: Run) => AsyncIterable<T>): AsyncGenerator<T> {
    this.#markHandled();
    return readLater(this, read);
  }
}

async function* readLater<T>(run: Promise<Run>, read: (run: Run) => AsyncIterable<T>): AsyncGenerator<T> {
  yield* read(await run);
}

/** A promise of a run that has the run's methods and its id. */
export function startedRun(id: string, run: Promise<object>, newId: () => string): StartedRun {
  return new RunPromise(id, run as Promise<Run>, newId);
}

/** The id that the options choose, or a new one. Options that are no object are refused later, as a rejection. */
export function idIn(options: { readonly id?: string | undefined }, newId: () => string): string {
  return (isOptions(options) ? options.id : undefined) ?? newId();
}

/** The options with the id that was chosen. */
export function withId<T extends object>(options: T, id: string): T {
  return isOptions(options) ? { ...options, id } : options;
}
