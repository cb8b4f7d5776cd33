import type { ChildEnd, ChildStart } from './child-start.ts';
import type { Payloads } from './payload.ts';
import type { TaskSpec } from './plan-tasks.ts';
import type { RunState } from './run-state.ts';
import type { TaskRun } from './task-run.ts';

/** The other runs that a run has to do with: its children and its parent. */
export interface Family {
  /** Sees to it that the child is there and goes on; a child that has ended wakes its parent again. */
  start(parent: RunState, child: ChildStart): Promise<void>;
  /** How a child ended; undefined when it has not. */
  end(child: string): Promise<ChildEnd | undefined>;
  /** Tells a parent that a child of its has ended. */
  wake(parent: string, wait: string, child: string): Promise<void>;
  cancelChildren(parent: RunState): Promise<void>;
}

/** Those who listen while it happens. */
export interface Live {
  task(task: TaskRun, what: 'start' | 'replayed'): void;
  step(step: {
    readonly spec: TaskSpec;
    readonly attempt: number;
    readonly step: string;
    readonly what: 'start' | 'replayed';
  }): void;
  emit(item: Payloads['emit']['items'][number]): void;
}
