import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { catchMutant } from './catch-mutant.ts';
import { mutants } from './mutants.ts';

describe('the simulation', () => {
  // In threads of their own, bundled: that is several times as fast.
  test('finds nothing in 1,000 seeds', { timeout: 600_000 }, () => {
    expect(node(pathOf('../../../../scripts/bundle.mjs'), 'sim')).toMatchObject({ status: 0 });
    const { status, stdout } = node(pathOf('./dist/test/sim/main.js'), '--seeds', '1000');
    expect(stdout).not.toMatch(/^seed \d+ failed/m);
    expect(status, stdout).toBe(0);
  });

  test.each(mutants().map(({ name }) => name))('catches %s', async (name) => {
    expect(await catchMutant(name)).toMatchObject({ violation: expect.any(String) });
  });
});

function node(...args: readonly string[]): { readonly status: number | null; readonly stdout: string } {
  return spawnSync(process.execPath, args, { encoding: 'utf8' });
}

function pathOf(name: string): string {
  return fileURLToPath(new URL(name, import.meta.url));
}
