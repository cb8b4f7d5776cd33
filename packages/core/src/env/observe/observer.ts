import type { HoldfastError } from '../../errors/holdfast-error.ts';

/**
 * How much an event matters.
 *
 * @example
 * ```ts
 * const level: LogLevel = 'debug';
 * const logged = await openEngine('memory:', { log: level });
 * ```
 */
export type LogLevel = 'debug' | 'info' | 'warn' | 'error';

interface SpanBase {
  /** A name with few values, for a tracer: `run refunds`, `superstep`, `node pay`, `step charge`. */
  readonly name: string;
  readonly runId: string;
  readonly graph: string;
}

interface NodeSpan extends SpanBase {
  readonly superstep: number;
  readonly node: string;
  /** In an `each`: which item, from 0. */
  readonly item?: number | undefined;
  /** From 1: of the node or, in the span of a step, of that step. */
  readonly attempt: number;
}

/**
 * Something that takes time. 'run': from where this worker leases a run until it ends, waits or is released. 'superstep': one
 * round of a graph, with its commit. 'node': one execution of a body; `replayed` if it has begun before, so that what it did
 * then comes from the journal. 'step': one attempt of a step's function; a step whose result is in the journal has no span.
 *
 * @example
 * ```ts
 * const timed = async <T>({ name }: Span, next: () => Promise<T>): Promise<T> => {
 *   console.time(name);
 *   return next().finally(() => console.timeEnd(name));
 * };
 * const observed = await openEngine('memory:', { observe: { span: timed } });
 * ```
 */
export type Span =
  | (SpanBase & { readonly kind: 'run' })
  | (SpanBase & { readonly kind: 'superstep'; readonly superstep: number })
  | (NodeSpan & { readonly kind: 'node'; readonly replayed: boolean })
  | (NodeSpan & { readonly kind: 'step'; readonly step: string; readonly call: number });

interface EventBase {
  readonly level: LogLevel;
  readonly message: string;
  readonly at: Date;
}

/** An event about one run. */
interface RunEventBase extends EventBase {
  readonly runId: string;
}

/**
 * Something that an operator may want to know: what `log` prints and `observe.event` gets. 'takeover': a run whose worker died is
 * leased here. 'refusal': this worker cannot continue a run. 'lease-lost': another worker has it. `by` says who, where that is
 * known: of a prune or a delete, 'retention' for the background sweep.
 *
 * @example
 * ```ts
 * const count = (event: EngineEvent): void => console.log(event.level, event.type, event.message);
 * const counted = await openEngine('memory:', { observe: { event: count } });
 * ```
 */
export type EngineEvent =
  | (EventBase & { readonly type: 'warning'; readonly runId?: string | undefined; readonly error?: unknown })
  | (RunEventBase & { readonly type: 'takeover'; readonly worker: string; readonly crashes: number })
  | (RunEventBase & { readonly type: 'refusal' | 'lease-lost' | 'run-failed'; readonly error: HoldfastError })
  | (RunEventBase & {
      readonly type: 'retry';
      readonly node: string;
      /** Undefined if the whole node is tried again. */
      readonly step: string | undefined;
      /** The attempt that failed, from 1. */
      readonly attempt: number;
      readonly retryAt: Date;
      readonly error: HoldfastError;
    })
  | (RunEventBase & { readonly type: 'answer'; readonly name: string; readonly by: string | undefined })
  | (RunEventBase & {
      readonly type: 'answer-refused';
      readonly name: string;
      readonly by: string | undefined;
      readonly error: unknown;
    })
  | (RunEventBase & { readonly type: 'fork'; readonly forkOf: string })
  | (EventBase & {
      readonly type: 'prune';
      /** Undefined if all runs were pruned. */
      readonly runId: string | undefined;
      readonly pruned: number;
      readonly bytes: number;
      readonly by: string | undefined;
    })
  | (RunEventBase & { readonly type: 'delete'; readonly by: string | undefined });

/**
 * Observes an engine. Nothing that it does changes or delays a run: what it returns is ignored, and an error is reported once.
 *
 * @example
 * ```ts
 * const engine = await openEngine('sqlite:./runs.db', {
 *   observe: { span: (span, next) => tracer.startActiveSpan(span.name, next), event: (event) => console.log(event) },
 * });
 * ```
 */
export interface Observer {
  /**
   * Called around everything that takes time, nested: run, super-step, node, step. Call `next` before the first `await`, so that
   * your context (AsyncLocalStorage) is that of the code inside; otherwise it starts without it. `next` settles when the work
   * does, and rejects if it failed.
   */
  readonly span?: (<T>(span: Span, next: () => Promise<T>) => unknown) | undefined;
  /** Called for each event, after it happened. What it throws becomes a warning. */
  readonly event?: ((event: EngineEvent) => unknown) | undefined;
}

/**
 * A logger with a method per level, such as `console`. A level without a method is not logged.
 *
 * @example
 * ```ts
 * const logger: Logger = { warn: (message) => console.warn(message), error: (message) => console.error(message) };
 * const logged = await openEngine('memory:', { log: logger });
 * ```
 */
export type Logger = {
  readonly [L in LogLevel]?: ((message: string, event: EngineEvent) => unknown) | undefined;
};

/**
 * Where events are logged: stderr from a level on, a function, or a logger.
 *
 * @example
 * ```ts
 * const log: Log = 'info'; // or console, or a function
 * const logged = await openEngine('memory:', { log });
 * ```
 */
export type Log = LogLevel | 'silent' | ((event: EngineEvent) => unknown) | Logger;

/** What a warning is about. Some warnings are events of a type of their own. */
export type Warning =
  | { readonly runId?: string | undefined; readonly error?: unknown }
  | { readonly type: 'refusal'; readonly runId: string; readonly error: HoldfastError };
