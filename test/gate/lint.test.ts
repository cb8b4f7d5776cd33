import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Verdict, Workspace } from './workspace.ts';

const many = (count: number, line: (index: number) => string): string =>
  Array.from({ length: count }, (_, index) => line(index)).join('\n');

/** Each breaks one rule: the file, its text, and the rule that must name it. */
const breaks = [
  ['an `any`', 'value/a.ts', '/** A. */\nexport const a = (input: any): boolean => input === 1;\n', 'no-explicit-any'],
  [
    'an `any` in a test',
    'value/b.test.ts',
    'export const b = (input: any): boolean => input === 1;\n',
    'no-explicit-any',
  ],
  [
    'an `any` that nobody wrote',
    'value/c.ts',
    "/** C. */\nexport const c = (): number => JSON.parse('1');\n",
    'no-unsafe-return',
  ],
  ['a floating promise', 'value/d.ts', 'async function later(): Promise<void> {}\nlater();\n', 'no-floating-promises'],
  [
    'a floating promise in a test',
    'value/e.test.ts',
    'async function later(): Promise<void> {}\nlater();\n',
    'no-floating-promises',
  ],
  [
    'a switch that forgets a case',
    'value/f.ts',
    "export function f(kind: 'a' | 'b'): void {\n  switch (kind) {\n    case 'a':\n  }\n}\n",
    'switch-exhaustiveness-check',
  ],
  ['a default export', 'value/g.ts', 'export default 1;\n', 'no-default-export'],
  ['a name with an underscore', 'value/h.ts', 'export class H {\n  _secret = 1;\n}\n', 'no-underscore-dangle'],
  [
    'the time without the seam',
    'value/i.ts',
    'export const i = (): number => Date.now();\n',
    'no-restricted-properties',
  ],
  [
    'a timer without the seam',
    'value/j.ts',
    'export const j = (): void => void setTimeout(() => {}, 1);\n',
    'no-restricted-globals',
  ],
  ['a file of 301 lines', 'value/k.ts', many(301, (index) => `export const k${index} = ${index};`), 'max-lines'],
  ['a test file of 401 lines', 'value/m.test.ts', `${many(401, (index) => `// ${index}`)}\n`, 'max-lines'],
  [
    'a function of 61 lines',
    'value/l.ts',
    `export function l(): void {\n${many(60, (index) => `  void ${index};`)}\n}\n`,
    'max-lines-per-function',
  ],
] as const;

describe('lint', () => {
  const workspace = new Workspace();
  let clean: Verdict;
  let broken: Verdict;

  beforeAll(async () => {
    clean = await workspace.check('lint');
    workspace.writeSources(Object.fromEntries(breaks.map(([, file, text]) => [file, text])));
    broken = await workspace.check('lint');
  });
  afterAll(() => workspace.remove());

  test('passes on the unbroken copy', () => {
    expect(clean).toMatchObject({ passed: true });
  });

  test('fails on the broken one', () => {
    expect(broken.passed).toBe(false);
    expect(broken.output).toContain('FAILED lint');
  });

  test.each(breaks)('refuses %s', (_fault, file, _text, rule) => {
    const named = new RegExp(`\\(${rule}\\)[^[]*\\[packages/core/src/${file.replaceAll('.', '\\.')}:`);
    expect(broken.output).toMatch(named);
  });
});
