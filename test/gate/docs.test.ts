import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Verdict, Workspace } from './workspace.ts';

const exported = `export interface AnInterface {
  /** Does it. */
  act(): void;
}
export type AnAlias = string;
export const aVariable: number = 1;
export function aFunction(): void {}
export class AClass {}
/** Documented. */
export interface Whole {
  name: string;
  act(): void;
}
`;

describe('docs', () => {
  const workspace = new Workspace();
  let clean: Verdict;
  let broken: Verdict;

  beforeAll(async () => {
    clean = await workspace.check('docs');
    workspace.writeSources({
      'store/contract.ts': `${exported}/** A driver. */\nexport interface Driver {\n  readonly name: string;\n}\n`,
      'store/index.ts':
        "export { AClass, type AnAlias, type AnInterface, aFunction, aVariable, type Driver, type Whole } from './contract.ts';\n",
      'index.ts': 'export const inTheIndex = 1;\n',
      'testing/index.ts': 'export function inTesting(): void {}\n',
    });
    broken = await workspace.check('docs');
  });
  afterAll(() => workspace.remove());

  test('passes on the unbroken copy', () => {
    expect(clean).toMatchObject({ passed: true });
  });

  test('fails on the broken one', () => {
    expect(broken.passed).toBe(false);
    expect(broken.output).toContain('FAILED docs');
  });

  test.each([
    'index.inTheIndex',
    'store.AnInterface',
    'store.AnAlias',
    'store.aVariable',
    'store.aFunction',
    'store.AClass',
    'store.Whole.act',
    'testing.inTesting',
  ])('names %s, which has no documentation', (name) => {
    expect(broken.output).toMatch(
      new RegExp(`${name.replaceAll('.', '\\.')} \\(\\w+\\), .* does not have any documentation`),
    );
  });

  test('asks for none of a property', () => {
    expect(broken.output).not.toContain('Whole.name');
  });
});
