import type { CallPlace, EmittedItem } from './fold/payload.ts';
import type { RunState } from './fold/run-state.ts';
import type { ChildEnd, ChildStart, DetachedStart } from './task/child-start.ts';
import type { TaskRun } from './task/task-run.ts';

/** Access to the other runs that a run depends on: its children and its parent. */
export interface ChildRuns {
  /** Starts or continues the child. A child that has already ended wakes its parent again. */
  start(parent: RunState, child: ChildStart): Promise<void>;
  /** Starts a run that is nobody's child. Starting it again changes nothing. */
  startDetached(run: DetachedStart): Promise<void>;
  /** How a child ended. Undefined if it has not ended. */
  end(child: string): Promise<ChildEnd | undefined>;
  /** Tells a parent that its child has ended. */
  wake(parentId: string, wait: string, child: string): Promise<void>;
  /** The same, if it turns out that the child has ended: a commit under this fence failed, and may have ended it. */
  wakeIfEnded(parentId: string, wait: string, child: { readonly runId: string; readonly fence: number }): void;
  cancelChildren(parent: RunState): Promise<void>;
  /** Cancels the children that no task of the parent waits for any more. */
  cancelAbandoned(parent: RunState): Promise<void>;
}

/** The live listeners. */
export interface Live {
  task(task: TaskRun, what: 'start' | 'replayed'): void;
  step(call: CallPlace, attempt: number, what: 'start' | 'replayed'): void;
  emit(item: EmittedItem): void;
}
