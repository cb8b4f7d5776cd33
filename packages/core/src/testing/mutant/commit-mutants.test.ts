import fc from 'fast-check';
import { describe, test } from 'vitest';
import type { Batch, BatchResult } from '../../store/contract/commit.ts';
import { type Breakage, changingBatches, overwrite } from './breakage.ts';
import { mutantSuite } from './mutant-suite.ts';

const mutants: Readonly<Record<string, Breakage>> = {
  'the fence is not checked': changingBatches((batch, run) =>
    batch.fence === null ? batch : { ...batch, fence: run?.fence ?? 0 },
  ),
  'the head is not checked': changingBatches((batch, run) =>
    batch.create === null && run !== undefined
      ? {
          ...batch,
          expect: run.head,
          records: batch.records.map((record, at) => ({ ...record, seq: run.head + at + 1 })),
        }
      : batch,
  ),
  'the head is checked before the fence': ({ real, disk }) => ({
    commit: async (group) =>
      (await real.commit(group)).map((result, at) => {
        const batch = group[at] as Batch;
        const isHead = !result.ok && result.why === 'fence' && batch.expect !== disk.runs.get(batch.runId)?.head;
        return isHead ? { ...result, why: 'head' } : result;
      }),
  }),
  'a refused batch changes the header all the same': ({ real, disk }) => ({
    commit: async (group) => {
      const results = await real.commit(group);
      results.forEach((result, at) => {
        const batch = group[at] as Batch;
        const run = disk.runs.get(batch.runId);
        if (!result.ok && run !== undefined) overwrite(run, batch.header);
      });
      return results;
    },
  }),
  'a refusal shows nothing': ({ real }) => ({
    commit: async (group) =>
      (await real.commit(group)).map((result) => (result.ok ? result : { ...result, found: undefined })),
  }),
  'creating overwrites': ({ real, disk }) => ({
    commit: (group) => {
      for (const { runId, create } of group) if (create !== null) disk.runs.delete(runId);
      return real.commit(group);
    },
  }),
  'the snapshot is forgotten': changingBatches((batch) => ({ ...batch, snapshot: null })),
  'a part of the header that is left out is reset': changingBatches((batch) => ({
    ...batch,
    header: { wakeAt: null, ...batch.header },
  })),
  'the release of an owner is ignored': changingBatches((batch) => ({ ...batch, release: false })),
  'an external writer resets the count of claims': changingBatches((batch, run) => {
    if (run !== undefined && batch.expect === run.head) run.claims = 0;
    return batch;
  }),
  'an owner does not reset the count of claims': ({ real, disk }) => ({
    commit: async (group) => {
      const claims = group.map(({ runId }) => disk.runs.get(runId)?.claims ?? 0);
      const results = await real.commit(group);
      group.forEach(({ runId }, at) => overwrite(disk.runs.get(runId), { claims: claims[at] as number }));
      return results;
    },
  }),
  'a fork may stand on anything': ({ real, disk }) => ({
    commit: async (group) => {
      const results = [];
      for (const batch of group) {
        const forkedAt = batch.create?.forkedAt ?? null;
        const parent = forkedAt === null ? undefined : disk.runs.get(forkedAt.runId);
        const [result] = await real.commit([batch]);
        if (
          result !== undefined &&
          !result.ok &&
          result.why === 'base' &&
          parent !== undefined &&
          batch.create !== null
        ) {
          const [again] = await real.commit([{ ...batch, create: { ...batch.create, forkedAt: null } }]);
          overwrite(disk.runs.get(batch.runId), { head: batch.expect + batch.records.length });
          results.push(again ?? result);
        } else if (result !== undefined) results.push(result);
      }
      return results;
    },
  }),
  'reopening loses the last commit': ({ real, disk }) => {
    const [last] = [...disk.runs.values()].filter(({ records }) => records.length > 1).slice(-1);
    if (last !== undefined) {
      last.head -= last.records.splice(-1).length;
      last.tokens.splice(-1);
    }
    return { close: () => real.close() };
  },
  'a text is cut short': changingBatches((batch) => ({
    ...batch,
    records: batch.records.map((record) => ({ ...record, text: record.text.slice(0, 40) })),
  })),
};

/** Broken in ways that only the tests of the contract look for. */
const finerMutants: Readonly<Record<string, Breakage>> = {
  'a refused batch takes the rest of its group with it': ({ real }) => ({
    commit: async (group) => {
      const results = await real.commit(group.slice(0, 1));
      if (results[0]?.ok !== true) return group.map(() => results[0] as BatchResult);
      return [...results, ...(await real.commit(group.slice(1)))];
    },
  }),
  'what comes after a refused batch in its group is acknowledged and not written': ({ real }) => ({
    commit: async (group) => {
      const results: BatchResult[] = [];
      for (const batch of group) {
        const lost = results.some(({ ok }) => !ok);
        results.push(...(lost ? [{ ok: true } as const] : await real.commit([batch])));
      }
      return results;
    },
  }),
  'texts are normalised': changingBatches((batch) => ({
    ...batch,
    records: batch.records.map((record) => ({ ...record, text: record.text.normalize('NFC') })),
  })),
  'checksums are rounded': changingBatches((batch) => ({
    ...batch,
    records: batch.records.map((record) => ({ ...record, crc: record.crc | 0 })),
  })),
  'a long text is cut': changingBatches((batch) => ({
    ...batch,
    records: batch.records.map((record) => ({ ...record, text: record.text.slice(0, 65_535) })),
  })),
};

mutantSuite({ describe, test, fc, name: 'a store whose commit() is broken', mutants, finerMutants });
