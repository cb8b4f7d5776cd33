import { beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../src/testing/seeded-random.ts';
import { killEngine } from './engine/kill-engine.ts';
import { build } from './runner/slice.ts';

const seed = Number(process.env['HOLDFAST_SEED'] ?? 1);

beforeAll(build);

describe.each(['file', 'sqlite'] as const)('an engine on %s whose process is killed', (store) => {
  test('comes to the same end, and runs nothing again that it acknowledged', { timeout: 300_000 }, async () => {
    const report = await killEngine({ store, kills: 10, random: seededRandom(seed) });
    expect(report).toMatchObject({ violations: [] });
    expect(report.kills).toBeGreaterThanOrEqual(10);
  });
});

describe('an engine that forgets results', () => {
  test('is found out', { timeout: 300_000 }, async () => {
    const mutant = 'forgets results';
    const report = await killEngine({ store: 'sqlite', kills: 20, random: seededRandom(seed), mutant, isHasty: true });
    expect(report.violations.length).toBeGreaterThan(0);
  });
});
