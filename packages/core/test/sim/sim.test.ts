import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { checkSeed } from './check-seed.ts';
import { mutants } from './mutants.ts';

/** A mutant that so many seeds do not show is not caught. They begin where the rarest are shown soon. */
const firstForMutants = 28;
const seedsForMutants = 400;

describe('the simulation', () => {
  // In threads of their own, bundled: that is several times as fast.
  test('finds nothing in 1,000 seeds', { timeout: 600_000 }, () => {
    expect(node(pathOf('../../../../scripts/bundle.mjs'), 'sim')).toMatchObject({ status: 0 });
    const { status, stdout } = node(pathOf('./dist/test/sim/main.js'), '--seeds', '1000');
    expect(stdout).not.toMatch(/^seed \d+ failed/m);
    expect(status, stdout).toBe(0);
  });

  test.each(mutants().map(({ name }) => name))('catches %s', async (name) => {
    expect(await isCaught(name)).toBe(true);
  });
});

function node(...args: readonly string[]): { readonly status: number | null; readonly stdout: string } {
  return spawnSync(process.execPath, args, { encoding: 'utf8' });
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}

async function isCaught(name: string): Promise<boolean> {
  for (let seed = firstForMutants; seed < firstForMutants + seedsForMutants; seed += 1) {
    // Some of them remember what they have seen.
    const mutant = mutants().find((each) => each.name === name);
    const { violations } = await checkSeed(seed, mutant);
    if (violations.length > 0) return true;
  }
  return false;
}
