import { afterAll, describe, expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

const vitest = ['node_modules/vitest/vitest.mjs', 'run', '--coverage'];

describe('coverage', () => {
  const workspace = new Workspace();
  afterAll(() => workspace.remove());

  test('passes on the unbroken copy', async () => {
    expect(await workspace.run(process.execPath, vitest)).toMatchObject({ passed: true });
  });

  test('fails when a line of value is never run', async () => {
    workspace.writeSources({ 'value/unseen.ts': 'export function unseen(): number {\n  return 1;\n}\n' });
    const { passed, output } = await workspace.run(process.execPath, vitest);
    expect(passed).toBe(false);
    expect(output).toMatch(/Coverage for lines .* does not meet "packages\/core\/src\/value\/\*\*" threshold \(100%\)/);
  });

  test('fails when too much of the engine is never run', async () => {
    workspace.writeSources({ 'engine/unseen.ts': 'export function unseen(): number {\n  return 1;\n}\n' });
    const { passed, output } = await workspace.run(process.execPath, vitest);
    expect(passed).toBe(false);
    expect(output).toMatch(/Coverage for lines .* does not meet "packages\/core\/src\/engine\/\*\*" threshold \(95%\)/);
  });
});
