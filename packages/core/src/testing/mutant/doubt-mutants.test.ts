import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Batch } from '../../store/contract/commit.ts';
import { type Breakage, brokenPlace, changingBatches } from './breakage.ts';
import { differsFromModel } from './first-failure.ts';
import { mutantSuite } from './mutant-suite.ts';

/** Names the epoch that the run has, whatever the batch says. */
const ignoringEpochs: Breakage = ({ real, disk }) => ({
  commit: (group) =>
    real.commit(
      group.map((batch) => ({
        ...batch,
        epoch: disk.runs.get(batch.runId)?.epoch ?? disk.voids.get(batch.runId)?.epoch ?? 0,
      })),
    ),
});

const onlyReading: Breakage = ({ real, disk }) => ({
  resolveDoubt: async (batch) => {
    const run = disk.runs.get(batch.runId);
    const [epoch, kept] = [run?.epoch ?? 0, disk.voids.get(batch.runId)];
    const result = await real.resolveDoubt(batch);
    if (run !== undefined) run.epoch = epoch;
    if (kept === undefined) disk.voids.delete(batch.runId);
    else disk.voids.set(batch.runId, kept);
    return result.outcome === 'absent' ? { ...result, epoch, found: run?.header() } : result;
  },
});

const withoutVoids: Breakage = ({ real, disk }) => ({
  resolveDoubt: async (batch) => {
    const result = await real.resolveDoubt(batch);
    disk.voids.clear();
    return result.outcome === 'absent' && result.found === undefined ? { ...result, epoch: 0 } : result;
  },
});

/** Without them a late commit is made a second time. */
const needed: Readonly<Record<string, Breakage>> = {
  'resolveDoubt only reads': onlyReading,
  'the epoch is ignored': ignoringEpochs,
  'no epoch is kept of a run that is not there': withoutVoids,
};

const mutants: Readonly<Record<string, Breakage>> = {
  ...needed,
  'the epoch is checked first': ({ real, disk }) => ({
    commit: async (group) =>
      (await real.commit(group)).map((result, at) => {
        const epoch = disk.runs.get((group[at] as Batch).runId)?.epoch ?? 0;
        return !result.ok && (group[at] as Batch).epoch !== epoch ? { ...result, why: 'epoch' } : result;
      }),
  }),
  'every batch in doubt is absent': ({ real }) => ({
    resolveDoubt: (batch) => real.resolveDoubt({ ...batch, token: 'another' }),
  }),
  'every batch in doubt was committed': () => ({ resolveDoubt: async () => ({ outcome: 'committed' }) }),
  'nobody ever knows': () => ({ resolveDoubt: async () => ({ outcome: 'unknown' }) }),
  'only the token of the last batch is kept': ({ real, disk }) => ({
    commit: async (group) => {
      const results = await real.commit(group);
      for (const { runId } of group) {
        const run = disk.runs.get(runId);
        if (run !== undefined) run.tokens = run.tokens.map((token, _, all) => (token === all.at(-1) ? token : ''));
      }
      return results;
    },
  }),
  'a trimmed batch is taken for absent': ({ real, disk }) => ({
    resolveDoubt: async (batch) => {
      const result = await real.resolveDoubt(batch);
      const run = disk.runs.get(batch.runId);
      if (result.outcome !== 'unknown' || run === undefined) return result;
      run.epoch += 1;
      return { outcome: 'absent', found: run.header(), epoch: run.epoch };
    },
  }),
  'a new run begins at epoch 0, whatever it was created with': ({ real, disk }) => ({
    commit: async (group) => {
      const results = await real.commit(group);
      group.forEach(({ runId, create }, at) => {
        const run = disk.runs.get(runId);
        if (run !== undefined && create !== null && results[at]?.ok === true) run.epoch = 0;
      });
      return results;
    },
  }),
};

/** Broken in ways that only the tests of the contract look for. */
const finerMutants: Readonly<Record<string, Breakage>> = {
  'the token is not kept': changingBatches((batch) => ({ ...batch, token: '' })),
  'tokens are lost when it closes': ({ real, disk }) => {
    for (const run of disk.runs.values()) run.tokens = run.tokens.map(() => '');
    return { close: () => real.close() };
  },
  'the epochs of absent runs are lost when it closes': ({ real, disk }) => {
    disk.voids.clear();
    return { close: () => real.close() };
  },
  'the epochs of absent runs are kept for an hour': ({ real, disk, env }) => ({
    resolveDoubt: (batch) => {
      for (const [id, { at }] of disk.voids) if (at < env.clock.now() - 3_600_000) disk.voids.delete(id);
      return real.resolveDoubt(batch);
    },
  }),
  'the epoch of a removed run is forgotten': ({ real, disk }) => ({
    trim: async (plan) => {
      const result = await real.trim(plan);
      if (plan.remove === true && result.ok) disk.voids.delete(plan.runId);
      return result;
    },
  }),
  'resolveDoubt overtakes a commit in flight': ({ real }) => ({
    commit: async (group) => {
      await new Promise(setImmediate);
      return real.commit(group.map((batch) => (batch.create === null ? { ...batch, epoch: 0 } : batch)));
    },
    resolveDoubt: async (batch) => {
      const result = await real.resolveDoubt(batch);
      return result.outcome === 'absent' ? { ...result, epoch: 0 } : result;
    },
  }),
};

mutantSuite({ describe, test, fc, name: 'a store whose resolveDoubt() or epoch is broken', mutants, finerMutants });

describe('a store without what keeps late commits out', () => {
  test.each(Object.entries(needed))(
    'differs from the model while commits come late: %s',
    async (_, breakage) => {
      expect(await differsFromModel({ create: () => brokenPlace(breakage), fc, faulty: true })).toBe(true);
    },
    60_000,
  );
});
