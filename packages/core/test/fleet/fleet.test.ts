// A slice of `npm run test:fleet`: fewer workers and rounds, the same oracle. `workers` and `failover` are played there only.
import { execFileSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { beforeAll, describe, expect, test } from 'vitest';
import { type Job, jobs } from './jobs.ts';
import { play, problemOf } from './play.ts';

const seed = Number(process.env['HOLDFAST_SEED'] ?? 1) || 1;
const small = { processes: 2, workers: 3, seed, say: () => undefined };

beforeAll(() => {
  const bundler = fileURLToPath(new URL('../../../../scripts/bundle.mjs', import.meta.url));
  execFileSync(process.execPath, [bundler, 'fleet']);
});

describe('a fleet', () => {
  test.each([
    ['server', 4],
    ['resumes', 1],
    ['groups', 10],
    ['forks', 2],
    ['hints', 2],
    ['silence', 1],
  ] as const)('%s: nothing is lost, repeated, stale or stuck', async (name, rounds) => {
    expect(problemOf(await play(name, jobs[name] as Job, { ...small, rounds }))).toBeUndefined();
  });

  test.each([
    ['server', 'leases end by the local clock'],
    ['groups', 'a group is not sorted'],
    ['forks', 'forks are looked for before the lock'],
    ['hints', 'hints are relied on'],
    ['silence', 'a lost session lock is taken for death'],
  ] as const)('%s finds out when %s', async (name, mutant) => {
    expect(problemOf(await play(name, jobs[name] as Job, { ...small, mutant }))).toBeUndefined();
  });
});
