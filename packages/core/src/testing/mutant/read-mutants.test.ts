import fc from 'fast-check';
import { describe, test } from 'vitest';
import type { LoadQuery, RunsQuery, StoredRun } from '../../store/contract/read.ts';
import { type Breakage, changingQueries } from './breakage.ts';
import { mutantSuite } from './mutant-suite.ts';

/** Leaves one filter of `runs` out. */
const without = (filter: keyof RunsQuery): Breakage =>
  changingQueries(({ [filter]: _, ...query }) => query as RunsQuery);

/** Changes every load before it is answered. */
const changingLoads = (change: (query: LoadQuery) => LoadQuery): Breakage => {
  return ({ real }) => ({ load: (query) => real.load(change(query)) });
};

/** Changes every run that is loaded. */
const changingLoaded = (change: (run: StoredRun, query: LoadQuery) => StoredRun): Breakage => {
  return ({ real }) => ({
    load: async (query) => {
      const run = await real.load(query);
      return run && change(run, query);
    },
  });
};

const mutants: Readonly<Record<string, Breakage>> = {
  'snapshots come in the order of their seqs': ({ real }) => ({
    snapshots: async (query) => {
      const all = await real.snapshots({ runId: query.runId, limit: 1_000, bodies: query.bodies });
      const { covers = 1e9, before = { covers: 1e9, seq: 1e9 } } = query;
      const fits = all.filter(
        (key) => key.covers <= covers && (key.covers - before.covers || key.seq - before.seq) < 0,
      );
      return fits.toSorted((a, b) => b.seq - a.seq).slice(0, query.limit);
    },
  }),
  'a snapshot is found although it covers more': ({ real }) => ({
    snapshots: (query) => real.snapshots({ ...query, covers: (query.covers ?? 1e9) + 1 }),
  }),
  'a record in the middle is left out': ({ real }) => ({
    records: async (query) => (await real.records(query)).filter((_, at, all) => all.length < 3 || at !== 1),
  }),
  'records begin one too early': ({ real }) => ({
    records: (query) => real.records({ ...query, after: (query.after ?? 0) - 1 }),
  }),
  'the limit of records is ignored': ({ real }) => ({ records: (query) => real.records({ ...query, limit: 1_000 }) }),
  'the newest records come oldest first': ({ real }) => ({
    records: async (query) => [...(await real.records(query))].toSorted((a, b) => a.seq - b.seq),
  }),
  'hidden runs are listed': ({ real }) => ({
    runs: async (query) => {
      const { headers, corrupt } = await real.runs(query);
      if (query.hidden !== undefined || query.runIds !== undefined) return { headers, corrupt };
      return { headers: [...headers, ...(await real.runs({ ...query, hidden: true })).headers], corrupt };
    },
  }),
  'a page begins with the last run of the one before': changingQueries(({ after, ...query }) => ({
    ...query,
    ...(after && {
      after: {
        ...after,
        runId:
          query.order === 'oldest'
            ? after.runId.slice(0, -1) + String.fromCharCode(after.runId.charCodeAt(after.runId.length - 1) - 1)
            : `${after.runId}0`,
      },
    }),
  })),
  'the limit of runs is ignored': changingQueries((query) => ({ ...query, limit: 1_000 })),
  'the order of runs is ignored': changingQueries((query) => ({ ...query, order: 'oldest' })),
  'updatedBefore takes in the moment itself': changingQueries((query) =>
    query.updatedBefore === undefined ? query : { ...query, updatedBefore: query.updatedBefore + 1 },
  ),
  'a load ends at the fork point': changingLoaded((run) => ({
    ...run,
    records: run.records.filter(({ runId }) => runId === run.header.runId),
  })),
  'a load has no lineage': changingLoaded((run) => ({ ...run, lineage: [] })),
  'a load ignores upTo': changingLoads((query) => ({ ...query, upTo: undefined })),
  'a load goes one record too far': changingLoads((query) =>
    query.upTo === undefined ? query : { ...query, upTo: query.upTo + 1 },
  ),
  'a load ignores its limit': changingLoads((query) => (query.limit === 0 ? query : { ...query, limit: 1_000 })),
  'a load of nothing gives a snapshot': ({ real }) => ({
    load: async (query) => {
      const whole = await real.load({ ...query, limit: Math.max(1, query.limit) });
      return whole && (query.limit === 0 ? { ...whole, records: [] } : whole);
    },
  }),
  'a load finds only snapshots of the run itself': ({ real }) => ({
    load: async (query) => {
      const found = await real.load(query);
      if (found?.snapshot === undefined || found.snapshot.runId === query.runId) return found;
      return real.load({ ...query, before: { covers: 0, seq: 0 } });
    },
  }),
  'a load gives the newest snapshot again': changingLoads(({ before: _, ...query }) => query),
  'a load hides hidden runs': ({ real }) => ({
    load: async (query) => {
      const found = await real.load(query);
      return found?.header.hidden === true ? undefined : found;
    },
  }),
  ...Object.fromEntries(
    (
      [
        'runIds',
        'worker',
        'status',
        'graph',
        'node',
        'waits',
        'tags',
        'parentId',
        'forkOf',
        'idPrefix',
        'updatedBefore',
        'hidden',
      ] as const
    ).map((filter) => [`the filter ${filter} is ignored`, without(filter)]),
  ),
};

/** Broken in ways that only the tests of the contract look for. */
const finerMutants: Readonly<Record<string, Breakage>> = {
  'an id is found past the given seq': ({ real }) => ({ ids: (query) => real.ids({ ...query, upTo: undefined }) }),
  'ids begin again on every page': ({ real }) => ({ ids: (query) => real.ids({ ...query, after: undefined }) }),
  'ids go with their records': ({ real, disk }) => ({
    trim: async (plan) => {
      const result = await real.trim(plan);
      const run = plan.dryRun === true ? undefined : disk.runs.get(plan.runId);
      run?.dropIds(({ seq }) => seq <= run.floor);
      return result;
    },
  }),
  'ids are never forgotten': ({ real }) => ({ trim: (plan) => real.trim({ ...plan, forgetIds: undefined }) }),
  'ids that a plan brings are lost': ({ real }) => ({ trim: (plan) => real.trim({ ...plan, ids: undefined }) }),
  'ids of dropped records stay with a hidden run': ({ real, disk }) => ({
    trim: async (plan) => {
      const run = disk.runs.get(plan.runId);
      const before = [...(run?.ids.values() ?? [])];
      const result = await real.trim(plan);
      if (plan.hide !== undefined && result.ok) run?.addIds(before);
      return result;
    },
  }),
  'load() finds no id of a base': ({ real }) => ({
    load: async (query) => {
      const found = await real.load(query);
      return found?.id && found.id.runId !== query.runId ? { ...found, id: undefined } : found;
    },
  }),
  'bodies come unasked': ({ real }) => ({ snapshots: (query) => real.snapshots({ ...query, bodies: true }) }),
  'the beginning of an id is a pattern': ({ real }) => ({
    runs: async ({ idPrefix, ...query }) => {
      const pattern = new RegExp(`^${(idPrefix ?? '').replaceAll('_', '.').replaceAll('%', '.*')}`, 'i');
      const { headers, corrupt } = await real.runs(query);
      return { headers: headers.filter(({ runId }) => pattern.test(runId)), corrupt };
    },
  }),
  'runs of one moment come in any order': ({ real }) => ({
    runs: async (query) => {
      const { headers, corrupt } = await real.runs(query);
      return { headers: headers.toSorted((a, b) => a.runId.localeCompare(b.runId)), corrupt };
    },
  }),
};

mutantSuite({ describe, test, fc, name: 'a store whose reading is broken', mutants, finerMutants });
