import type { Commit } from '../../packages/core/src/store/check/check-commit.ts';
import type { CheckedStore } from '../../packages/core/src/store/checked-store.ts';
import type { HeaderState, NewRun } from '../../packages/core/src/store/contract/run.ts';

/** The payload of a step that changes one small channel. */
export const trivialStep = { delta: { n: ['=', 1] }, next: ['b'] };

/** The text of such a step's record is about this long. */
export const trivialBytes = 90;

const begun: HeaderState = { status: 'running', superstep: 0, frontier: ['a'], waits: [], wakeAt: 0, tags: {} };

/** What a new run differs in from one that a worker has just begun. */
export type RunParts = Partial<HeaderState & Pick<NewRun, 'graph' | 'worker' | 'createdAt'>>;

/** Creates a run held by worker `w`, as an engine would; its first commit comes next. */
export async function createRun(store: CheckedStore, runId: string, parts: RunParts = {}): Promise<void> {
  const { graph = 'bench', worker = 'w', createdAt = Date.now(), ...state } = parts;
  const header: HeaderState = { ...begun, ...state };
  const of = { kind: 'graph', graph, version: 1, forkedAt: null, parentId: null, createdAt, worker } as const;
  const entries = [{ kind: 'run-start', at: createdAt }] as const;
  const outcome = await store.commit({
    runId,
    writer: { by: 'creator', of },
    expect: 0,
    at: createdAt,
    entries,
    header,
  });
  if (!outcome.ok) throw new Error(`run ${runId} was refused: ${outcome.why}`);
}

/** The run's next step, as an engine commits it. */
export function stepOf(runId: string, expect: number, payload: unknown = trivialStep): Commit {
  const entries = [{ kind: 'superstep', at: expect, payload }] as const;
  return { runId, writer: { by: 'owner', fence: 1 }, expect, entries, header: { superstep: expect } };
}

/** Commits the run's next step. */
export async function commitStep(
  store: CheckedStore,
  runId: string,
  expect: number,
  payload: unknown = trivialStep,
): Promise<void> {
  const outcome = await store.commit(stepOf(runId, expect, payload));
  if (!outcome.ok) throw new Error(`step ${expect} of ${runId} was refused: ${outcome.why}`);
}
