import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Env } from '../env/env.ts';
import type { Batch, RunHeader, RunsQuery, StoreDriver } from '../store/contract.ts';
import { MemoryDisk } from '../store/memory/memory-disk.ts';
import { MemoryDriver } from '../store/memory/memory-driver.ts';
import type { MemoryRun } from '../store/memory/memory-run.ts';
import { defineStore } from '../store/store.ts';
import type { CreatePlace } from './store-place.ts';
import { storeSuite } from './store-suite.ts';

interface Healthy {
  readonly real: StoreDriver;
  readonly disk: MemoryDisk;
  readonly env: Env;
}

/** What a broken driver does otherwise than the memory driver; made anew whenever the place is opened. */
type Breakage = (healthy: Healthy) => Partial<StoreDriver>;

/** Changes the batches before they are committed. */
const batches =
  (change: (batch: Batch, run: MemoryRun | undefined, disk: MemoryDisk) => Batch): Breakage =>
  ({ real, disk }) => ({
    commit: (group) => real.commit(group.map((batch) => change(batch, disk.runs.get(batch.run), disk))),
  });

/** Changes the query for runs. */
const queries =
  (change: (query: RunsQuery) => RunsQuery): Breakage =>
  ({ real }) => ({ runs: (query) => real.runs(change(query)) });

/** Leaves one filter of `runs` out. */
const without = (filter: keyof RunsQuery): Breakage =>
  queries(({ [filter]: _, ...query }) => query as RunsQuery);

const overwriteHeader = (run: MemoryRun, header: Partial<RunHeader>): void => void Object.assign(run, header);

/** Broken in a way that both the tests of the contract and the model must see. */
const mutants: Readonly<Record<string, Breakage>> = {
  'the fence is not checked': batches((batch, run) => (batch.fence === null ? batch : { ...batch, fence: run?.fence ?? 0 })),
  'the head is not checked': batches((batch, run) =>
    batch.create === null && run !== undefined
      ? { ...batch, expect: run.head, records: batch.records.map((record, at) => ({ ...record, seq: run.head + at + 1 })) }
      : batch,
  ),
  'the head is checked before the fence': ({ real, disk }) => ({
    commit: async (group) =>
      (await real.commit(group)).map((result, at) => {
        const batch = group[at] as Batch;
        const isHead = !result.ok && result.why === 'fence' && batch.expect !== disk.runs.get(batch.run)?.head;
        return isHead ? { ...result, why: 'head' } : result;
      }),
  }),
  'a refused batch changes the header all the same': ({ real, disk }) => ({
    commit: async (group) => {
      const results = await real.commit(group);
      results.forEach((result, at) => {
        const batch = group[at] as Batch;
        const run = disk.runs.get(batch.run);
        if (!result.ok && run !== undefined) overwriteHeader(run, batch.header);
      });
      return results;
    },
  }),
  'a refusal shows nothing': ({ real }) => ({
    commit: async (group) => (await real.commit(group)).map((result) => (result.ok ? result : { ...result, found: undefined })),
  }),
  'creating overwrites': batches((batch, _, disk) => {
    if (batch.create !== null) disk.runs.delete(batch.run);
    return batch;
  }),
  'the snapshot is forgotten': batches((batch) => ({ ...batch, snapshot: null })),
  'a part of the header that is left out is reset': batches((batch) => ({ ...batch, header: { wakeAt: null, ...batch.header } })),
  'the release of an owner is ignored': batches((batch) => ({ ...batch, release: false })),
  'a guest resets the count of claims': batches((batch, run) => {
    if (run !== undefined && batch.expect === run.head) run.claims = 0;
    return batch;
  }),
  'an owner does not reset the count of claims': ({ real, disk }) => ({
    commit: async (group) => {
      const claims = group.map(({ run }) => disk.runs.get(run)?.claims ?? 0);
      const results = await real.commit(group);
      group.forEach(({ run }, at) => overwriteHeader(disk.runs.get(run) ?? ({} as MemoryRun), { claims: claims[at] as number }));
      return results;
    },
  }),
  'a fork may stand on anything': ({ real, disk }) => ({
    commit: async (group) => {
      const results = [];
      for (const batch of group) {
        const base = batch.create?.base ?? null;
        const parent = base === null ? undefined : disk.runs.get(base.run);
        const [result] = await real.commit([batch]);
        if (result !== undefined && !result.ok && result.why === 'base' && parent !== undefined && batch.create !== null) {
          const [again] = await real.commit([{ ...batch, create: { ...batch.create, base: null } }]);
          overwriteHeader(disk.runs.get(batch.run) as MemoryRun, { head: batch.expect + batch.records.length });
          results.push(again ?? result);
        } else if (result !== undefined) results.push(result);
      }
      return results;
    },
  }),
  'snapshots come in the order of their seqs': ({ real }) => ({
    snapshots: async (query) => {
      const all = await real.snapshots({ run: query.run, limit: 1_000, bodies: query.bodies });
      const { covers = 1e9, before = { covers: 1e9, seq: 1e9 } } = query;
      const fits = all.filter((key) => key.covers <= covers && (key.covers - before.covers || key.seq - before.seq) < 0);
      return fits.sort((a, b) => b.seq - a.seq).slice(0, query.limit);
    },
  }),
  'a snapshot is found although it covers more': ({ real }) => ({ snapshots: (query) => real.snapshots({ ...query, covers: (query.covers ?? 1e9) + 1 }) }),
  'a record in the middle is left out': ({ real }) => ({
    records: async (query) => (await real.records(query)).filter((_, at, all) => all.length < 3 || at !== 1),
  }),
  'records begin one too early': ({ real }) => ({ records: (query) => real.records({ ...query, after: (query.after ?? 0) - 1 }) }),
  'the limit of records is ignored': ({ real }) => ({ records: (query) => real.records({ ...query, limit: 1_000 }) }),
  'the newest records come oldest first': ({ real }) => ({ records: async (query) => [...(await real.records(query))].sort((a, b) => a.seq - b.seq) }),
  'a lease never ends': ({ real }) => ({
    claim: (request) => real.claim(request.type === 'heartbeat' ? { ...request, leaseMs: 1e12 } : request),
  }),
  'a claim does not raise the fence': ({ real, disk }) => ({
    claim: async (request) => {
      const { claimed, alive } = await real.claim(request);
      for (const { run, fence } of claimed) overwriteHeader(disk.runs.get(run) as MemoryRun, { fence: Math.max(1, fence - 1) });
      return { claimed: claimed.map((header) => ({ ...header, fence: Math.max(1, header.fence - 1) })), alive };
    },
  }),
  'own loops are claimed': ({ real, disk }) => ({
    claim: async (request) => {
      const run = request.type === 'one' ? disk.runs.get(request.run) : undefined;
      if (run?.fixed.loop !== true || run.worker !== null) return real.claim(request);
      return { claimed: [run.claim(request.worker)], alive: true };
    },
  }),
  'a run is taken from a living worker': ({ real, disk }) => ({
    claim: (request) => {
      const run = request.type === 'one' ? disk.runs.get(request.run) : undefined;
      if (run !== undefined) run.worker = null;
      return real.claim(request);
    },
  }),
  'a run that is not due is not given to who asks for it': ({ real, disk, env }) => ({
    claim: async (request) => {
      const wakeAt = request.type === 'one' ? disk.runs.get(request.run)?.wakeAt : 0;
      return wakeAt === null || (wakeAt ?? 0) > env.clock.now() ? { claimed: [], alive: true } : real.claim(request);
    },
  }),
  'due runs come in the order of their ids': ({ real, disk }) => ({
    claim: (request) => {
      const due = [...disk.runs.values()].filter((run) => request.type === 'due' && run.wakeAt !== null && run.wakeAt < 1.8e12);
      for (const run of due) run.wakeAt = Math.min(run.wakeAt as number, 1);
      return real.claim(request);
    },
  }),
  'a worker without a lease takes runs': ({ real, disk, env }) => ({
    claim: async (request) => {
      if (request.type !== 'heartbeat' && !disk.workers.has(request.worker)) disk.workers.set(request.worker, env.clock.now() + 1);
      return real.claim(request);
    },
  }),
  'versions of graphs are ignored': ({ real }) => ({
    claim: (request) => real.claim(request.type === 'due' ? { ...request, graphs: request.graphs.map(({ name }) => ({ name })) } : request),
  }),
  'releases are ignored': ({ real }) => ({
    claim: (request) => real.claim(request.type === 'release' ? { ...request, runs: [] } : request),
  }),
  'forks do not keep anything from being trimmed': ({ real, disk }) => ({
    trim: async (plan) => {
      const forks = disk.forksOf(plan.run);
      for (const { run } of forks) disk.runs.delete(run);
      const result = await real.trim(plan);
      for (const fork of forks) disk.runs.set(fork.run, fork);
      return result;
    },
  }),
  'a floor needs no snapshot': ({ real, disk }) => ({
    trim: async (plan) => {
      const result = await real.trim(plan);
      const run = disk.runs.get(plan.run);
      if (result.ok || result.why !== 'floor' || run === undefined || (plan.floor ?? 0) > run.head) return result;
      run.floor = Math.max(run.floor, plan.floor ?? 0);
      return { ok: true, records: 0, snapshots: 0, bytes: 0 };
    },
  }),
  'the record at the floor is kept': ({ real, disk }) => ({
    trim: async (plan) => {
      const [kept] = await real.records({ run: plan.run, after: (plan.floor ?? 0) - 1, order: 'oldest', limit: 1 });
      const result = await real.trim(plan);
      const run = disk.runs.get(plan.run);
      if (result.ok && plan.floor !== undefined && !plan.dryRun && kept?.seq === plan.floor && run !== undefined) {
        run.records.unshift(kept);
        run.floor -= 1;
      }
      return result;
    },
  }),
  'a dry run is carried out': ({ real }) => ({ trim: (plan) => real.trim({ ...plan, dryRun: false }) }),
  'trimming counts as a change': ({ real, disk, env }) => ({
    trim: async (plan) => {
      const run = disk.runs.get(plan.run);
      if (run !== undefined) run.updatedAt = env.clock.now() + 1;
      return real.trim(plan);
    },
  }),
  'hiding leaves the fence': ({ real, disk }) => ({
    trim: async (plan) => {
      const result = await real.trim(plan);
      const run = disk.runs.get(plan.run);
      if (result.ok && plan.hide !== undefined && !plan.dryRun && run !== undefined) run.fence -= 1;
      return result;
    },
  }),
  'hidden runs are listed': ({ real }) => ({
    runs: async (query) => [...(await real.runs(query)), ...(query.hidden === undefined && query.run === undefined ? await real.runs({ ...query, hidden: true }) : [])],
  }),
  'a page begins with the last run of the one before': queries(({ after, ...query }) => ({
    ...query,
    ...(after && { after: { ...after, run: query.order === 'oldest' ? after.run.slice(0, -1) + String.fromCharCode(after.run.charCodeAt(after.run.length - 1) - 1) : `${after.run}0` } }),
  })),
  'the limit of runs is ignored': queries((query) => ({ ...query, limit: 1_000 })),
  'the order of runs is ignored': queries((query) => ({ ...query, order: 'oldest' })),
  'updatedBefore takes in the moment itself': queries((query) => (query.updatedBefore === undefined ? query : { ...query, updatedBefore: query.updatedBefore + 1 })),
  ...Object.fromEntries(
    (['run', 'status', 'graph', 'node', 'waits', 'tags', 'parent', 'baseRun', 'idPrefix', 'updatedBefore', 'hidden'] as const).map((filter) => [
      `the filter ${filter} is ignored`,
      without(filter),
    ]),
  ),
  'reopening loses the last commit': ({ real, disk }) => {
    const [last] = [...disk.runs.values()].filter(({ records }) => records.length > 1).slice(-1);
    if (last !== undefined) last.head -= last.records.splice(-1).length;
    return { close: () => real.close() };
  },
  'a text is cut short': batches((batch) => ({ ...batch, records: batch.records.map((record) => ({ ...record, text: record.text.slice(0, 40) })) })),
};
