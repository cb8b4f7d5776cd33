import { beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../src/testing/seeded-random.ts';
import { killEngine } from './engine/kill-engine.ts';
import { build } from './runner/slice.ts';

/** A slice; `npm run test:kills` has 500 kills in runs of 200 steps. */
const kills = 6;
const steps = 60;
/** Whether a kill strikes where a mutant shows is chance: it has so many rounds. */
const rounds = 6;
const seed = Number(process.env['HOLDFAST_SEED'] ?? 1);

beforeAll(build);

describe.each(['file', 'sqlite'] as const)('an engine on %s whose process is killed', (store) => {
  test('comes to the same end, and runs nothing again that it acknowledged', { timeout: 300_000 }, async () => {
    const report = await killEngine({ store, kills, steps, random: seededRandom(seed) });
    expect(report).toMatchObject({ violations: [] });
    expect(report.kills).toBeGreaterThanOrEqual(kills);
  });
});

describe('an engine that forgets results', () => {
  test('is found out', { timeout: 300_000 }, async () => {
    const mutant = 'forgets results';
    const found: string[] = [];
    for (let round = 0; round < rounds && found.length === 0; round += 1) {
      const random = seededRandom(seed + round);
      const { violations } = await killEngine({ store: 'sqlite', kills: 20, random, mutant, isHasty: true });
      found.push(...violations.map(String));
    }
    expect(found).not.toEqual([]);
  });
});
