import { holdfastError } from '../../errors/holdfast-error.ts';
import { allRuns } from '../../journal/all-runs.ts';
import { findRun } from '../../runner/fold/load-run.ts';
import type { RunState } from '../../runner/fold/run-state.ts';
import type { ChildRuns } from '../../runner/host.ts';
import type { ChildEnd, ChildStart } from '../../runner/task/child-start.ts';
import { frozenCopy } from '../../value/frozen/frozen-copy.ts';
import type { EngineParts } from '../parts.ts';
import { failureOf, outputOf } from '../query/outcome.ts';
import { hasEnded } from '../query/run-summary.ts';
import { giveAnswer } from './answer-run.ts';
import { cancelRun } from './cancel-run.ts';
import type { ParentWaker } from './parent-waker.ts';
import { resumeRun } from './resume-run.ts';
import { startRun } from './start-run.ts';
import { wakeParent } from './wake-parent.ts';

/** How runs talk to their child runs and parents: through the store, like everyone else. */
export function childRunsOf(parts: EngineParts, parentWaker: ParentWaker): ChildRuns {
  return {
    start: (parent, child) => startChild(parts, parent, child),
    end: (child) => childEnd(parts, child),
    wake: (parentId, wait, child) => parentWaker.wake({ parentId, wait, child }),
    wakeIfEnded: (parentId, wait, child) => parentWaker.wakeIfEnded({ parentId, wait, child }),
    cancelChildren: (parent) => cancelChildren(parts, parent),
  };
}

async function startChild(parts: EngineParts, parent: RunState, child: ChildStart): Promise<void> {
  const { graph, id, input, tags, wakes, isRetry } = child;
  parts.registry.add(graph);
  const options = { id, tags };
  const { isNew } = await startRun(parts, {
    graph,
    input,
    options,
    here: parts.executes,
    parentId: parent.runId,
    wakes,
  });
  if (!isNew) await goOnWithChild(parts, { parent, child, isRetry });
  // Validated where the question is asked: it may belong to a graph inside the inner graph.
  for (const [name, { value, by }] of child.answers) await giveAnswer(parts, id, { name, value, by }, undefined);
  if (parts.executes && child.answers.size > 0) await parts.worker.continueRun({ runId: id, graph: graph.name });
}

interface ChildAgain {
  readonly parent: RunState;
  readonly child: ChildStart;
  readonly isRetry: boolean;
}

async function goOnWithChild(parts: EngineParts, { parent, child, isRetry }: ChildAgain): Promise<void> {
  const header = await parts.store.header(child.id);
  if (header === undefined || !hasEnded(header)) return;
  if (isRetry && header.status === 'failed') await resumeRun(parts, child.id, {});
  else await wakeParent(parts, { parentId: parent.runId, wait: child.wakes, child: child.id });
}

async function childEnd({ store, registry }: EngineParts, child: string): Promise<ChildEnd | undefined> {
  const found = await findRun(store, child);
  if (found === undefined || found.header.hidden) {
    const error = holdfastError('HOLDFAST_NOT_FOUND', `Child run "${child}" was deleted.`, {
      details: { runId: child },
    });
    return { error };
  }
  const { state } = found;
  if (state.end === undefined) return undefined;
  if (state.end.status === 'failed') return { error: failureOf(state) };
  if (state.end.status === 'cancelled') {
    const details = { runId: child, reason: state.end.reason };
    return { error: holdfastError('HOLDFAST_CANCELLED', `Child run "${child}" was cancelled.`, { details }) };
  }
  const output = outputOf(state, registry.find(state));
  return { output: frozenCopy(typeof output === 'object' && output !== null ? { ...output } : output) };
}

async function cancelChildren(parts: EngineParts, parent: RunState): Promise<void> {
  const unfinished = ['pending', 'running', 'waiting', 'suspended'] as const;
  for await (const { runId, kind } of allRuns(parts.store, { parentId: parent.runId, status: [...unfinished] })) {
    // Only its own loop ends a journal run.
    if (kind === 'journal') continue;
    await cancelRun(parts, runId, parent.cancel?.reason ?? `its parent ${parent.runId} was cancelled`);
  }
}
