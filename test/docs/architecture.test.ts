import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';

const root = new URL('../../', import.meta.url);

function textOf(page: string): string {
  return readFileSync(new URL(page, root), 'utf8');
}

/** Paths in code spans that name a source file. */
function filesNamedIn(page: string): readonly string[] {
  const spans = textOf(page).matchAll(/`(?<path>[\w.-]+(?:\/[\w.-]+)+\.ts)`/g);
  return [...new Set(Array.from(spans, ({ groups }) => groups?.['path'] ?? ''))];
}

describe('docs/architecture/a-step.md', () => {
  const named = filesNamedIn('docs/architecture/a-step.md');

  test('names the files of every layer it walks through', () => {
    for (const layer of ['engine', 'runner', 'history', 'journal', 'store']) {
      expect(named.filter((path) => path.startsWith(`${layer}/`)).length, layer).toBeGreaterThan(0);
    }
  });

  test.each(named)('%s exists', (path) => {
    expect(existsSync(new URL(`packages/core/src/${path}`, root))).toBe(true);
  });
});

describe('ARCHITECTURE.md', () => {
  const folders = textOf('ARCHITECTURE.md').matchAll(/^\| `(?<path>[\w./-]+)`/gm);

  test.each(Array.from(folders, ({ groups }) => groups?.['path'] ?? ''))('%s exists', (path) => {
    expect(existsSync(new URL(path, root))).toBe(true);
  });
});
