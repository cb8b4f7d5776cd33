import { pruneJournalRun } from '../engine/retention/prune-run.ts';
import type { Env } from '../env/env.ts';
import { nodeEnv } from '../env/node-env.ts';
import { type Checkpoints, createCheckpoints } from '../journal/checkpoint/checkpoints.ts';
import { createJournals, type Journals } from '../journal/journals.ts';
import { RunWriter } from '../journal/run-writer.ts';
import { CheckedStore } from '../store/checked-store.ts';
import type { StoredSnapshot } from '../store/contract/commit.ts';
import type { NewRun } from '../store/contract/run.ts';
import { MemoryDriver } from '../store/memory/driver.ts';
import { MemoryPlace } from '../store/memory/memory-place.ts';
import type { MemoryRun } from '../store/memory/memory-run.ts';

/** The facades over a memory store, and all that is below them. */
export interface MemoryParts {
  readonly disk: MemoryPlace;
  readonly driver: MemoryDriver;
  readonly store: CheckedStore;
  readonly env: Env;
  readonly writer: RunWriter;
  readonly journal: Journals;
  readonly checkpoints: Checkpoints;
  readonly warnings: readonly string[];
}

/** The facades over a memory store whose disk the test can reach. */
export function memoryParts(): MemoryParts {
  const disk = new MemoryPlace();
  const warnings: string[] = [];
  const env: Env = { ...nodeEnv, warn: (message) => void warnings.push(message) };
  const driver = new MemoryDriver(disk, env);
  const store = new CheckedStore(driver, env);
  const writer = new RunWriter(store, env);
  const given = { store, env, writer };
  const prune: Checkpoints['prune'] = (runId, policy) => pruneJournalRun(given, runId, policy);
  const checkpoints = createCheckpoints({ ...given, prune });
  return { disk, driver, store, env, writer, warnings, journal: createJournals(given), checkpoints };
}

/** Changes the text of a snapshot, counted from the newest (-1), under its checksum. */
export function corruptSnapshot(disk: MemoryPlace, runId: string, at: number, part: 'head' | 'body'): void {
  const { snapshots } = disk.runs.get(runId) as MemoryRun;
  const snapshot = snapshots.at(at) as StoredSnapshot;
  const sealed = snapshot[part];
  snapshots[snapshots.length + at] = { ...snapshot, [part]: { text: `${sealed?.text} `, crc: sealed?.crc } };
}

/** All that an iterable gives. */
export async function all<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}

/** A run that an engine would execute, with one record. */
export async function createGraphRun(store: CheckedStore, runId: string): Promise<void> {
  const of: NewRun = {
    kind: 'graph',
    graph: 'g',
    version: 1,
    forkedAt: null,
    parentId: null,
    createdAt: 0,
    worker: null,
  };
  const header = { status: 'pending', superstep: 0, frontier: [], waits: [], wakeAt: 0, tags: {} } as const;
  await store.commit({
    runId,
    writer: { by: 'creator', of },
    expect: 0,
    entries: [{ kind: 'run-start', at: 0 }],
    header,
  });
}
