import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { pagesIn } from './code-blocks.ts';

const root = new URL('../../', import.meta.url);
const textOf = (page: string) => readFileSync(new URL(page, root), 'utf8');

/** The names that an entry point exports. */
function exportedBy(entry: string): readonly string[] {
  const lists = textOf(entry).matchAll(/^export (?:type )?\{(?<names>[^}]*)\}/gms);
  const names = Array.from(lists, ({ groups }) => (groups?.['names'] ?? '').split(',')).flat();
  return names.map((name) => name.replace(/^\s*type\s/, '').trim()).filter((name) => name !== '');
}

describe('docs/api-in-ten-minutes.md', () => {
  const page = textOf('docs/api-in-ten-minutes.md');
  const names = exportedBy('packages/core/src/index.ts');

  test('is about a whole list of names', () => {
    expect(names.length).toBeGreaterThan(100);
    expect(names).toEqual(expect.arrayContaining(['openEngine', 'graph', 'Run', 'replace', 'Replace']));
  });

  test.each(names)('uses %s', (name) => {
    expect(page).toMatch(new RegExp(`\\b${name}\\b`));
  });
});

describe('the five ideas', () => {
  const pages = pagesIn('docs/ideas/');

  test('have a page each, which README.md and docs/concepts.md link to', () => {
    expect(pages).toHaveLength(5);
    for (const page of pages) {
      expect(textOf('README.md')).toContain(`(${page})`);
      expect(textOf('docs/concepts.md')).toContain(`(${page.replace('docs/', '')})`);
    }
  });

  test.each(pages)('%s shows a picture that exists and says what is in it', (page) => {
    const { alt = '', file = '' } = /!\[(?<alt>[^\]]+)\]\((?<file>[^)]+\.svg)\)/.exec(textOf(page))?.groups ?? {};
    expect(alt.length).toBeGreaterThan(40);
    expect(existsSync(new URL(file, new URL(page, root)))).toBe(true);
  });
});
