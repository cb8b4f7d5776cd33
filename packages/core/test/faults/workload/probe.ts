import type { CheckedStore } from '../../../src/store/checked-store.ts';
import { entriesOf } from './content.ts';
import { type Line, sharedMs } from './line.ts';

interface ProbeOptions {
  /** How many records it has. */
  readonly count?: number | undefined;
  /** Whether it is the run of an own loop. */
  readonly loop?: boolean | undefined;
}

/** Creates a small run, to see that the store takes commits; gives its acknowledgement. */
export async function creation(store: CheckedStore, token: string, options: ProbeOptions = {}): Promise<Line> {
  const { count = 2, loop = false } = options;
  const run = `probe-${token}`;
  const base = { loop, graph: 'probe', version: 1, base: null, parent: null, createdAt: 0, worker: null };
  const from = sharedMs();
  const outcome = await store.commit({
    run,
    writer: { by: 'creator', of: base },
    expect: 0,
    entries: entriesOf({ token, count, snapshot: false, creates: { base: null } }),
    header: { status: 'running', step: 0, frontier: [], waits: [], wakeAt: null, tags: { token } },
  });
  if (!outcome.ok) throw new Error(`a new run was refused: ${outcome.why}`);
  return { type: 'commit', run, token, expect: 0, count, from, to: sharedMs() };
}
