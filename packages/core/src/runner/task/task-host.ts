import type { Awaitable } from '../../async/awaitable.ts';
import { validated } from '../../channel/validated.ts';
import type { Env } from '../../env/env.ts';
import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import type { CallPlace, EmittedItem } from '../fold/payload.ts';
import type { RunLease } from '../run-lease.ts';
import type { ChildEnd, DetachedStart } from './child-start.ts';

/** What a task needs from its run. */
export interface TaskHost {
  readonly env: Env;
  readonly graph: CompiledGraph;
  readonly owned: RunLease;
  readonly tags: Readonly<Record<string, string>>;
  /** The state that all tasks of the super-step see. */
  readonly view: () => object;
  /** How a child ended. Undefined if it has not ended. */
  readonly childEnd: (id: string) => Promise<ChildEnd | undefined>;
  /** Starts a run that is nobody's child. */
  readonly startDetached: (run: DetachedStart) => Promise<void>;
  /** Emits a value into the run's event stream. */
  readonly emit: (item: EmittedItem) => void;
  /** Adds the emitted values to the next commit: they belong before the records that follow. */
  readonly keepEmits: () => void;
  /** Tells live listeners that a step started, or that its result was replayed. */
  readonly onStep: (call: CallPlace, attempt: number, what: 'start' | 'replayed') => void;
}

/** The result of a validation in a task. A schema that never settles fails the task: it must not stall the run. */
export function validatedBy<T>({ env, owned }: TaskHost, what: string, checking: Awaitable<T>): Promise<T> {
  return validated({ clock: env.clock, validationMs: owned.bounds.validationMs }, what, checking);
}
