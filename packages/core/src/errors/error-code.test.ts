import { readdirSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { errorCodes } from './error-code.ts';

const root = new URL('../../../../', import.meta.url);

describe('errorCodes', () => {
  test('are exactly the headings of docs/errors.md, in its order', () => {
    const page = readFileSync(new URL('docs/errors.md', root), 'utf8');
    const headings = [...page.matchAll(/^## (.+)$/gm)].map(([, heading]) => heading);
    expect(headings).toEqual([...errorCodes]);
  });

  test('are sorted and named alike', () => {
    expect([...errorCodes]).toEqual([...errorCodes].toSorted());
    for (const code of errorCodes) expect(code).toMatch(/^HOLDFAST_[A-Z]+(_[A-Z]+)*$/);
  });

  test('are each used by some source file', () => {
    const sources = new URL('packages/core/src/', root);
    const files = readdirSync(sources, { recursive: true, encoding: 'utf8' });
    const code = files
      .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.endsWith('error-code.ts'))
      .map((file) => readFileSync(new URL(file, sources), 'utf8'))
      .join('\n');
    expect(errorCodes.filter((each) => !code.includes(`'${each}'`))).toEqual([]);
  });
});
