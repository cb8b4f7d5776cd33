import { HoldfastError, holdfastError } from '../../../errors/holdfast-error.ts';
import type { RunState } from '../../../runner/fold/run-state.ts';
import type { ChildRuns } from '../../../runner/host.ts';
import { findRun } from '../../../runner/load-run.ts';
import type { ChildEnd, ChildStart, DetachedStart } from '../../../runner/task/child-start.ts';
import { isPlainObject } from '../../../value/codec/plain-object.ts';
import { frozenCopy } from '../../../value/frozen/frozen-copy.ts';
import type { RunOptions } from '../../graph-run.ts';
import type { EngineParts } from '../../parts.ts';
import { failureOf, outputOf } from '../../query/outcome.ts';
import { hasEnded } from '../../query/run-summary.ts';
import { type GivenAnswer, giveAnswer } from '../answer-run.ts';
import { cancelChildren, cancelRun } from '../cancel-run.ts';
import { resumeRun } from '../resume-run.ts';
import { startWithRoom } from '../start-run.ts';
import type { ParentWaker } from './parent-waker.ts';
import { wakeParent } from './wake-parent.ts';

/** How runs talk to their child runs and parents: through the store, like everyone else. */
export function childRunsOf(parts: EngineParts, parentWaker: ParentWaker): ChildRuns {
  return {
    start: (parent, child) => startChild(parts, parent, child),
    startDetached: (run) => startDetached(parts, run),
    end: (child) => childEnd(parts, child),
    wake: (parentId, wait, child) => parentWaker.wake({ parentId, wait, child }),
    wakeIfEnded: (parentId, wait, { runId, fence }) => parentWaker.wakeIfEnded({ parentId, wait, child: runId }, fence),
    cancelChildren: (parent) => cancelChildren(parts, parent),
    cancelAbandoned: (parent) => cancelAbandoned(parts, parent),
  };
}

async function startChild(parts: EngineParts, parent: RunState, child: ChildStart): Promise<void> {
  const { graph, id, input, tags, wakes, isRetry } = child;
  parts.registry.add(graph);
  const options = { id, tags, ...timeLeft(parts, parent) };
  const { isNew } = await startWithRoom(parts, {
    graph,
    input,
    options,
    here: parts.executes,
    parentId: parent.runId,
    wakes,
  });
  if (!isNew) await goOnWithChild(parts, { parent, child, isRetry });
  // Validated where the question is asked: it may belong to a graph inside the inner graph.
  for (const [name, { value, by }] of child.answers) await passOn(parts, id, { name, value, by });
  if (parts.executes && child.answers.size > 0) await parts.worker.continueRun({ runId: id, graph: graph.name });
}

async function startDetached(parts: EngineParts, { graph, id, input, tags }: DetachedStart): Promise<void> {
  parts.registry.add(graph);
  await startWithRoom(parts, { graph, input, options: { id, tags }, here: parts.executes });
}

/** A child may take the time that its parent has left. */
function timeLeft({ env }: EngineParts, { deadline }: RunState): Pick<RunOptions, 'timeout'> {
  return deadline === undefined ? {} : { timeout: Math.max(0, deadline - env.clock.now()) };
}

/** Gives a child an answer that came before it was started. A child that has gone on already has it. */
async function passOn(parts: EngineParts, childId: string, given: GivenAnswer): Promise<void> {
  try {
    const { inner } = await giveAnswer(parts, childId, given, undefined);
    if (inner !== undefined) await passOn(parts, inner.childId, { ...given, name: inner.name });
  } catch (error) {
    if (!(HoldfastError.is(error) && goneOn.has(error.code))) throw error;
  }
}

const goneOn: ReadonlySet<string> = new Set([
  'HOLDFAST_ALREADY_ANSWERED',
  'HOLDFAST_QUESTION_CLOSED',
  'HOLDFAST_RUN_ENDED',
]);

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
  const isState = state.end.output === undefined && isPlainObject(output);
  return { output: frozenCopy(isState ? { ...output } : output) };
}

async function cancelAbandoned(parts: EngineParts, { runId, abandoned }: RunState): Promise<void> {
  for (const child of abandoned) {
    try {
      await cancelRun(parts, child, { reason: `its parent ${runId} continued without it` });
    } catch (error) {
      if (!HoldfastError.is(error, 'HOLDFAST_NOT_FOUND')) throw error;
    }
  }
}
