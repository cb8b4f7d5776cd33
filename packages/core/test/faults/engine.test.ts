import { beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../src/testing/seeded-random.ts';
import { killEngine } from './engine/kill-engine.ts';
import { build } from './runner/slice.ts';

/** A slice; `npm run test:kills` has 500 kills in runs of 200 steps. */
const kills = 6;
const steps = 60;
/** Whether a kill strikes where a mutant shows is chance: it is killed until one does, at most so often. */
const mutantKills = 1_000;
/** Ends what hangs, and nothing else. */
const timeout = 1_200_000;
const seed = Number(process.env['HOLDFAST_SEED'] ?? 1);

beforeAll(build);

describe.each(['file', 'sqlite'] as const)('an engine on %s whose process is killed', (store) => {
  test('comes to the same end, and runs nothing again that it acknowledged', { timeout }, async () => {
    const report = await killEngine({ store, kills, steps, random: seededRandom(seed) });
    expect(report).toMatchObject({ violations: [] });
    expect(report.kills).toBeGreaterThanOrEqual(kills);
  });
});

describe('an engine that forgets results', () => {
  test('is found out', { timeout }, async () => {
    const mutant = 'forgets results';
    const random = seededRandom(seed);
    const report = await killEngine({ store: 'sqlite', kills: mutantKills, random, mutant, isHasty: true });
    expect(report.violations).not.toEqual([]);
  });
});
