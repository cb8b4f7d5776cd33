import { change, mutant } from '../mutant.ts';
import { seams } from '../seams.ts';
import { brokenCheckpoints, orElse } from './wrap.ts';

export const fork = [
  brokenCheckpoints('a fork is labelled with its own name', (checkpoints) => ({
    fork: (from, options) => checkpoints.fork(from, { label: `fork-of:${options?.id ?? 'itself'}`, ...options }),
  })),
  brokenCheckpoints('a fork is a copy', (checkpoints) => ({
    fork: async (from, options) =>
      checkpoints.fork(from, { ...options, set: { ...(await checkpoints.load(from))?.state, ...options?.set } }),
  })),
  brokenCheckpoints('the edits are lost', (checkpoints) => ({
    fork: (from, options) => checkpoints.fork(from, { ...options, set: undefined }),
  })),
  mutant(
    'a fork forgets its lineage',
    change(seams.segmentsOf, (segmentsOf) => (lineage) => segmentsOf(lineage).slice(0, 1)),
  ),
  mutant(
    'a fork sees what came after its fork point',
    change(
      seams.segmentsOf,
      (segmentsOf) => (lineage) =>
        segmentsOf(lineage).map((segment) => ({ ...segment, upTo: Number.MAX_SAFE_INTEGER })),
    ),
  ),
  brokenCheckpoints('an edit of an unknown channel is taken', (checkpoints) => ({
    fork: (from, options) =>
      orElse(
        () => checkpoints.fork(from, options),
        'HOLDFAST_UNKNOWN_CHANNEL',
        () => checkpoints.fork(from, { ...options, set: {} }),
      ),
  })),
  brokenCheckpoints('a missing source makes an empty fork', (checkpoints) => ({
    fork: (from, options) =>
      orElse(
        () => checkpoints.fork(from, options),
        'HOLDFAST_NOT_FOUND',
        () => options?.id ?? 'empty',
      ),
  })),
  brokenCheckpoints('a deleted run takes its forks with it', (checkpoints, { store }) => ({
    delete: async (runId) => {
      const forks = await store.runs({ forkOf: runId, order: 'oldest', limit: 100 });
      for (const each of forks) await checkpoints.delete(each.runId);
      return checkpoints.delete(runId);
    },
  })),
];
