// The code in the documentation is not only run: it compiles, as it would in the editor of somebody who copies it.
import { readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { expect, test } from 'vitest';
import { complaintsAbout } from '../types/virtual-program.ts';
import { codeBlocks, pagesIn } from './code-blocks.ts';

const pages = [
  'README.md',
  'packages/core/README.md',
  'docs/api-in-ten-minutes.md',
  'docs/concepts.md',
  'docs/limits.md',
  'docs/quickstart.md',
  'docs/testing.md',
  ...pagesIn('docs/guides/'),
  ...pagesIn('docs/ideas/'),
];

const blocks = pages.flatMap(codeBlocks).filter(({ language }) => language === 'ts');

/** A new project has `strict`, and nothing stricter. */
const options = {
  exactOptionalPropertyTypes: false,
  noUnusedParameters: false,
  noPropertyAccessFromIndexSignature: false,
};
const wrong = resolve('test/docs/wrong.ts');

test('no block of code or example needs a build on the versions of Node that we support', () => {
  // Node 22 runs TypeScript, but not this.
  const lowered = /\bawait using\b/;
  expect(blocks.filter(({ code }) => lowered.test(code))).toEqual([]);
  const examples = readdirSync('examples/src', { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.ts'),
  );
  expect(examples.length).toBeGreaterThan(15);
  expect(examples.filter((name) => lowered.test(readFileSync(`examples/src/${name}`, 'utf8')))).toEqual([]);
});

test('every block of code compiles, and one that does not is found', () => {
  const files = new Map(
    blocks.map(({ page, line, code }) => [resolve(`test/docs/${page.replaceAll('/', '-')}-${line}.ts`), code]),
  );
  expect(files.size).toBeGreaterThan(40);
  const said = complaintsAbout(files.set(wrong, "import { open } from 'holdfast';\nopen();\n"), options);
  expect([...said].filter(([, text]) => text !== '')).toEqual([
    [wrong, expect.stringContaining('has no exported member')],
  ]);
});
