// What a browser loads, as it is sent: the pages are small, or they are not worth a server's while.
import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { gzipSync } from 'node:zlib';
import { beforeAll, expect, test } from 'vitest';

const root = resolve(import.meta.dirname, '../../..');
const pages = join(root, 'packages/studio/dist/pages');

interface Chunk {
  readonly file: string;
  readonly isEntry?: boolean;
  readonly imports?: readonly string[];
}

let chunks: Readonly<Record<string, Chunk>>;
beforeAll(() => {
  execFileSync(process.execPath, ['scripts/bundle.mjs', 'studio'], { cwd: root });
  chunks = JSON.parse(readFileSync(join(pages, 'manifest.json'), 'utf8')) as typeof chunks;
});

/** The scripts that come with a chunk, itself included, but nothing that is loaded later. */
function scriptsOf(name: string, found: Set<string> = new Set()): ReadonlySet<string> {
  const chunk = chunks[name];
  if (chunk === undefined || found.has(chunk.file)) return found;
  found.add(chunk.file);
  for (const each of chunk.imports ?? []) scriptsOf(each, found);
  return found;
}

function zippedBytes(files: Iterable<string>): number {
  return [...files].reduce((sum, file) => sum + gzipSync(readFileSync(join(pages, file))).length, 0);
}

test('the first load is at most 60 KB of script', () => {
  const [entry] = Object.entries(chunks).find(([, { isEntry }]) => isEntry === true) ?? [''];
  const files = scriptsOf(entry);
  expect(files.size).toBeGreaterThan(0);
  expect(zippedBytes(files)).toBeLessThanOrEqual(60_000);
});

test('the editor is at most 110 KB more', () => {
  const name = Object.keys(chunks).find((each) => each.includes('code-mirror')) ?? '';
  const files = scriptsOf(name);
  expect(files.size).toBeGreaterThan(0);
  expect(zippedBytes(files)).toBeLessThanOrEqual(110_000);
});
