import type { Sink } from './log-sink.ts';
import type { EngineEvent, Observer, Span, Warning } from './observer.ts';

type DistributiveOmit<T, K extends PropertyKey> = T extends unknown ? Omit<T, K> : never;

/** An event without its time. */
export type NewEvent = DistributiveOmit<EngineEvent, 'at'>;

/** Calls the observer around some work. `failureOf` finds the failure in a result. */
type ObserveSpan = <T>(span: Span, work: () => Promise<T>, failureOf?: (result: T) => Error | undefined) => Promise<T>;

interface ObservationOptions {
  readonly observer: Observer;
  /** Undefined: warnings go to `warn`, and nothing else is logged. */
  readonly log: Sink | undefined;
  readonly warn: (message: string) => void;
  readonly now: () => number;
  readonly nextTick: (callback: () => void) => void;
}

/** Tells an observer and a log what happens. Whatever they do, the work continues as without them. */
export class Observation {
  /** Undefined if nobody wants spans: they then cost nothing. */
  readonly span: ObserveSpan | undefined;
  readonly #options: ObservationOptions;
  #isReported = false;
  /** Spans that the observer has not ended although their work has. */
  #unended = 0;

  constructor(options: ObservationOptions) {
    this.#options = options;
    const { span } = options.observer;
    if (span !== undefined) this.span = (...given) => this.#observe(span, ...given);
  }

  event(given: NewEvent): void {
    const { observer, log, now } = this.#options;
    const event: EngineEvent = { ...given, at: new Date(now()) };
    if (observer.event !== undefined) this.#tell(observer.event, event, 'observe.event');
    if (log !== undefined) this.#tell(log, event, 'log');
  }

  warn(message: string, about: Warning = {}): void {
    const { log, warn } = this.#options;
    if (log === undefined) warn(message);
    this.event({ type: 'warning', ...about, level: 'warn', message });
  }

  /** Reports spans that never ended. The engine has been closed: nothing more begins. */
  async close(): Promise<void> {
    if (this.#unended === 0) return;
    // A span that has just been told of its end gets the time to end.
    await new Promise<void>((resolve) => this.#options.nextTick(resolve));
    if (this.#unended > 0) this.#report('observe.span', `${this.#unended} spans never ended`);
  }

  #tell(listener: Sink, event: EngineEvent, what: string): void {
    try {
      const returned = listener(event);
      if (isThenable(returned)) returned.then(undefined, (error: unknown) => this.#report(what, error));
    } catch (error) {
      this.#report(what, error);
    }
  }

  #observe<T>(
    observe: NonNullable<Observer['span']>,
    span: Span,
    work: () => Promise<T>,
    failureOf: (result: T) => Error | undefined = () => undefined,
  ): Promise<T> {
    let working: Promise<T> | undefined;
    const begin = (): Promise<T> => (working ??= begun(work));
    const next = async (): Promise<T> => {
      const result = await begin();
      const failure = failureOf(result);
      if (failure !== undefined) throw failure;
      return result;
    };
    const watched = (): Promise<T> => {
      const shown = next();
      // An observer that does not look at the result must not end the process.
      shown.catch(() => undefined);
      return shown;
    };
    let returned: unknown;
    try {
      returned = observe(span, watched);
    } catch (error) {
      this.#report('observe.span', error);
    }
    // An observer that is late, or never calls it, must not hold up the run.
    const result = begin();
    if (isThenable(returned)) this.#watch(returned, result, failureOf);
    return result;
  }

  /** Notes when the observer has ended its span. It may fail as the work did, and in no other way. */
  #watch<T>(returned: PromiseLike<unknown>, result: Promise<T>, failureOf: (result: T) => Error | undefined): void {
    const hasFailed = result.then(
      (value) => failureOf(value) !== undefined,
      () => true,
    );
    let isEnded = false;
    let isDue = false;
    const end = (): void => {
      isEnded = true;
      if (isDue) this.#unended -= 1;
    };
    void hasFailed.then(() => {
      isDue = true;
      if (!isEnded) this.#unended += 1;
    });
    returned.then(end, (error: unknown) => {
      end();
      void hasFailed.then((failed) => (failed ? undefined : this.#report('observe.span', error)));
    });
  }

  /** Once: an observer that fails would fail at every event. */
  #report(what: string, error: unknown): void {
    if (this.#isReported) return;
    this.#isReported = true;
    const message = `${what} failed, so it may miss what happens. No run is affected, and this is reported once. ${String(error)}`;
    if (what === 'log') this.#options.warn(message);
    else this.warn(message);
  }
}

async function begun<T>(work: () => Promise<T>): Promise<T> {
  return work();
}

function isThenable(value: unknown): value is PromiseLike<unknown> {
  return typeof value === 'object' && value !== null && 'then' in value && typeof value.then === 'function';
}
