import type { CheckedStore } from '../../../src/store/checked-store.ts';
import type { RunKind } from '../../../src/store/contract/run.ts';
import { entriesOf } from './content.ts';
import { type Line, sharedMs } from './line.ts';

interface ProbeOptions {
  /** How many records it has. */
  readonly count?: number | undefined;
  /** Default: a graph run. */
  readonly kind?: RunKind | undefined;
}

/** Creates a small run, to see that the store takes commits; gives its acknowledgement. */
export async function creation(store: CheckedStore, token: string, options: ProbeOptions = {}): Promise<Line> {
  const { count = 2, kind = 'graph' } = options;
  const runId = `probe-${token}`;
  const base = { kind, graph: 'probe', version: 1, forkedAt: null, parentId: null, createdAt: 0, worker: null };
  const from = sharedMs();
  const outcome = await store.commit({
    runId,
    writer: { by: 'creator', of: base },
    expect: 0,
    entries: entriesOf({ token, count, snapshot: false, creates: { forkedAt: null } }),
    header: { status: 'running', superstep: 0, frontier: [], waits: [], wakeAt: null, tags: { token } },
  });
  if (!outcome.ok) throw new Error(`a new run was refused: ${outcome.why}`);
  return { type: 'commit', runId, token, expect: 0, count, from, to: sharedMs() };
}
