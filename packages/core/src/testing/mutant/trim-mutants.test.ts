import fc from 'fast-check';
import { describe, test } from 'vitest';
import type { TrimResult } from '../../store/contract/retention.ts';
import type { Breakage } from './breakage.ts';
import { mutantSuite } from './mutant-suite.ts';

const mutants: Readonly<Record<string, Breakage>> = {
  'forks do not keep anything from being trimmed': ({ real, disk }) => ({
    trim: async (plan) => {
      const forks = disk.forksOf(plan.runId);
      for (const { runId } of forks) disk.runs.delete(runId);
      const result = await real.trim(plan);
      for (const fork of forks) disk.runs.set(fork.runId, fork);
      return result;
    },
  }),
  'a floor needs no snapshot': ({ real, disk }) => ({
    trim: async (plan) => {
      const result = await real.trim(plan);
      const run = disk.runs.get(plan.runId);
      if (result.ok || result.why !== 'floor' || run === undefined || (plan.floor ?? 0) > run.head) return result;
      run.floor = Math.max(run.floor, plan.floor ?? 0);
      return { ok: true, records: 0, snapshots: 0, bytes: 0, more: false };
    },
  }),
  'the record at the floor is kept': ({ real, disk }) => ({
    trim: async (plan) => {
      const [kept] = await real.records({ runId: plan.runId, after: (plan.floor ?? 0) - 1, order: 'oldest', limit: 1 });
      const result = await real.trim(plan);
      const run = disk.runs.get(plan.runId);
      if (result.ok && plan.floor !== undefined && !plan.dryRun && kept?.seq === plan.floor && run !== undefined) {
        run.records.unshift(kept);
        run.floor -= 1;
      }
      return result;
    },
  }),
  'a plan for another head is carried out': ({ real }) => ({ trim: ({ head: _, ...plan }) => real.trim(plan) }),
  'a dry run is carried out': ({ real }) => ({ trim: (plan) => real.trim({ ...plan, dryRun: false }) }),
  'trimming counts as a change': ({ real, disk, env }) => ({
    trim: async (plan) => {
      const run = disk.runs.get(plan.runId);
      if (run !== undefined) run.updatedAt = env.clock.now() + 1;
      return real.trim(plan);
    },
  }),
  'hiding leaves the fence': ({ real, disk }) => ({
    trim: async (plan) => {
      const result = await real.trim(plan);
      const run = disk.runs.get(plan.runId);
      if (result.ok && plan.hide !== undefined && !plan.dryRun && run !== undefined) run.fence -= 1;
      return result;
    },
  }),
};

/** Broken in ways that only the tests of the contract look for. */
const finerMutants: Readonly<Record<string, Breakage>> = {
  'a listener that stopped is told more': ({ real }) => ({
    watch: (listener) => {
      real.watch(listener);
      return () => {};
    },
  }),
  'it tells of other runs than those that changed': ({ real }) => ({
    watch: (listener) => real.watch((hint) => listener(hint && { ...hint, runId: 'other' })),
  }),
  'it hints at a head that is not there yet': ({ real }) => ({
    watch: (listener) => real.watch((hint) => listener(hint && { ...hint, head: hint.head + 1 })),
  }),
  'it says that it reopens, and begins empty': ({ real, disk }) => {
    disk.runs.clear();
    return { close: () => real.close() };
  },
  'it says that it begins empty, and reopens': ({ real }) => ({
    capabilities: { ...real.capabilities, reopens: false },
  }),
  'it says that it is not shared, and is': ({ real }) => ({ capabilities: { ...real.capabilities, shared: false } }),
  'it loses leases when it closes': ({ real, disk }) => ({
    close: async () => {
      disk.workers.clear();
      await real.close();
    },
  }),
  'a snapshot of a journal run goes from under its fork with the floor': ({ real, disk }) => ({
    trim: async (plan) => {
      const run = disk.runs.get(plan.runId);
      const isJournal = run?.fixed.kind === 'journal' && plan.floor !== undefined;
      const forks = isJournal
        ? disk.forksOf(plan.runId).filter(({ fixed }) => (fixed.forkedAt?.seq ?? 0) >= (plan.floor ?? 0))
        : [];
      for (const fork of forks) disk.runs.delete(fork.runId);
      const result = await real.trim(plan);
      for (const fork of forks) disk.runs.set(fork.runId, fork);
      return result;
    },
  }),
  'a plan never comes to its end': ({ real }) => ({
    trim: async (plan) => ({ ...(await real.trim(plan)), more: true }) as TrimResult,
  }),
  'a large plan shows only with its last piece': ({ real }) => {
    const tried = new Set<string>();
    return {
      trim: async (plan) => {
        const result = await real.trim({ ...plan, dryRun: true });
        if (!result.ok || plan.dryRun === true || result.records < 100 || tried.has(plan.runId)) return real.trim(plan);
        tried.add(plan.runId);
        return { ok: true, records: 0, snapshots: 0, bytes: 0, more: true };
      },
    };
  },
  'bytes are not counted': ({ real }) => ({
    trim: async (plan) => ({ ...(await real.trim(plan)), bytes: 0 }) as TrimResult,
  }),
};

mutantSuite({
  describe,
  test,
  fc,
  name: 'a store whose trim(), watch() or capabilities is broken',
  mutants,
  finerMutants,
});
