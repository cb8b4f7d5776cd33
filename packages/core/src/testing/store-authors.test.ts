import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const root = new URL('../../../../', import.meta.url);
const read = (path: string): string => readFileSync(new URL(path, root), 'utf8');

describe('docs/store-authors.md', () => {
  const blocks = [...read('docs/store-authors.md').matchAll(/```ts\n([\s\S]*?)```/g)].map(([, code]) => code as string);
  const example = ['tiny-store.ts', 'tiny-store.test.ts'].map((file) => read(`examples/src/${file}`)).join('\n');

  test('has code', () => {
    expect(blocks.length).toBeGreaterThan(3);
  });

  test.each(blocks)('shows code of the example as it is: %s', (code) => {
    expect(example).toContain(code);
  });

  test('says how long the example is', () => {
    const lines = read('examples/src/tiny-store.ts').split('\n');
    expect(lines.filter((line) => line.trim() !== '' && !line.trim().startsWith('/')).length).toBeLessThan(200);
  });
});
