import type { Env } from '../../env/env.ts';
import type { Batch } from '../../store/contract/commit.ts';
import type { StoreDriver } from '../../store/contract/driver.ts';
import type { ClaimRequest } from '../../store/contract/lease.ts';
import type { RunsQuery } from '../../store/contract/read.ts';
import type { HeaderState, RunHeader } from '../../store/contract/run.ts';
import { MemoryDriver } from '../../store/memory/driver.ts';
import { MemoryPlace } from '../../store/memory/memory-place.ts';
import type { MemoryRun } from '../../store/memory/memory-run.ts';
import { defineStore } from '../../store/store.ts';
import { mortalStore } from '../mortal-store.ts';
import type { StorePlace } from '../store-place.ts';
import { withCalls } from '../with-calls.ts';

interface Healthy {
  readonly real: StoreDriver;
  readonly disk: MemoryPlace;
  readonly env: Env;
}

/** What a broken driver does otherwise than the memory driver; made anew whenever the place is opened. */
export type Breakage = (healthy: Healthy) => Partial<StoreDriver>;

/** A place whose store is the memory store, broken in one way. */
export function brokenPlace(breakage: Breakage): StorePlace {
  const disk = new MemoryPlace();
  const store = defineStore(async (env) => {
    const real = new MemoryDriver(disk, env);
    return withCalls(real, breakage({ real, disk, env }));
  });
  return { ...mortalStore(store), crash: async () => {} };
}

/** Changes every batch before it is committed. */
export function changingBatches(change: (batch: Batch, run: MemoryRun | undefined) => Batch): Breakage {
  return ({ real, disk }) => ({
    commit: (group) => real.commit(group.map((batch) => change(batch, disk.runs.get(batch.runId)))),
  });
}

/** Changes every query for runs before it is answered. */
export function changingQueries(change: (query: RunsQuery) => RunsQuery): Breakage {
  return ({ real }) => ({ runs: (query) => real.runs(change(query)) });
}

/** Changes every claim before it is answered. */
export function changingClaims(change: (request: ClaimRequest, healthy: Healthy) => ClaimRequest): Breakage {
  return (healthy) => ({ claim: (request) => healthy.real.claim(change(request, healthy)) });
}

/** Changes a run's header behind the driver's back. */
export function overwrite(run: MemoryRun | undefined, header: Partial<RunHeader>): void {
  if (run === undefined) return;
  const { status, superstep, frontier, waits, wakeAt, tags, ...rest } = header;
  const state = { status, superstep, frontier, waits, wakeAt, tags };
  const given = Object.entries(state).filter(([, value]) => value !== undefined);
  run.state = { ...run.state, ...(Object.fromEntries(given) as Partial<HeaderState>) };
  Object.assign(run, rest);
}
