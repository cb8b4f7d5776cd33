import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Verdict, Workspace } from './workspace.ts';

const samples = "export const lengths = ['a', 'b'].map((text) => text.length);\n";

describe('types', () => {
  const workspace = new Workspace();
  let recorded: Verdict;
  let broken: Verdict;
  let wrong: Verdict;

  beforeAll(async () => {
    workspace.write('test/types/samples.ts', samples);
    recorded = await workspace.run(process.execPath, ['scripts/check-types.mjs', '--record']);
    workspace.write('test/types/instantiations.json', '{ "samples": 1, "two hundred nodes": 1000000 }');
    broken = await workspace.check('types');
    workspace.write('test/types/samples.ts', "export const count: number = 'one';\n");
    wrong = await workspace.check('types');
  });
  afterAll(() => workspace.remove());

  test('pass on what was recorded', () => {
    expect(recorded).toMatchObject({ passed: true });
  });

  test('fail when a file takes more than the record allows', () => {
    expect(broken.passed).toBe(false);
    expect(broken.output).toMatch(/samples takes \d+ type instantiations, more than 10% above the 1 of/);
  });

  test('ask to lower a record that is far above', () => {
    expect(broken.output).toMatch(/two hundred nodes takes only \d+ type instantiations, 1000000 are recorded/);
    expect(broken.output).toContain('node scripts/check-types.mjs --record');
  });

  test('fail when a file does not compile', () => {
    expect(wrong.passed).toBe(false);
    expect(wrong.output).toContain("Type 'string' is not assignable to type 'number'");
  });
});
