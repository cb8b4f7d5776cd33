import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { inspect } from 'node:util';
import { afterAll, describe, expect, test, vi } from 'vitest';
import { type CodeBlock, codeBlocks, pagesIn, promisedOutput } from './code-blocks.ts';

// docs/quickstart.md is followed by scripts/newcomer, in a directory of its own.
const pages = [
  'README.md',
  'packages/core/README.md',
  'docs/api-in-ten-minutes.md',
  'docs/concepts.md',
  'docs/limits.md',
  'docs/testing.md',
  ...pagesIn('docs/guides/'),
  ...pagesIn('docs/ideas/'),
];
const blocks = pages.flatMap(codeBlocks).filter(({ language }) => language === 'ts');
// Inside the repository, so that the block finds `holdfast` as a user's file would.
const folder = mkdtempSync(join(import.meta.dirname, 'blocks-'));
afterAll(() => rmSync(folder, { recursive: true }));

async function run({ code }: CodeBlock): Promise<readonly string[]> {
  const file = join(folder, `block-${blocks.findIndex((block) => block.code === code)}.ts`);
  writeFileSync(file, code);
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  try {
    await import(pathToFileURL(file).href);
    return log.mock.calls.map((values) =>
      values.map((value) => (typeof value === 'string' ? value : inspect(value))).join(' '),
    );
  } finally {
    log.mockRestore();
  }
}

describe('the code in the documentation', () => {
  test('is there to be run', () => {
    expect(blocks.length).toBeGreaterThan(0);
  });

  test.each(blocks)('$page:$line runs and prints what it says', async (block) => {
    const promised = promisedOutput(block.code);
    expect(promised.length).toBeGreaterThan(0);
    expect(await run(block)).toEqual(promised);
  });
});

describe('README.md', () => {
  test('names the two commands, and CI runs both', async () => {
    const commands = codeBlocks('README.md')
      .filter(({ language }) => language === 'sh')
      .map(({ code }) => code)
      .join('\n');
    expect(commands).toContain('npm ci && npm start');
    expect(commands).toContain('npm ci && npm test');
    const { readFileSync } = await import('node:fs');
    const ci = readFileSync(new URL('../../.ci/run', import.meta.url), 'utf8')
      .trimEnd()
      .split('\n');
    expect(ci.slice(-3)).toEqual(['npm ci && npm test', 'scripts/fresh-clone start', 'scripts/newcomer']);
  });
});
