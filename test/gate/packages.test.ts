import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { neededFiles, packedFiles } from './packed.ts';

const root = join(import.meta.dirname, '../..');
/** Of the repository: the same in all packages. */
const address = 'https://github.com/holdfast/holdfast';

function run(...args: readonly string[]): void {
  execFileSync(process.execPath, args, { cwd: root });
}

beforeAll(() => {
  run('node_modules/typescript/bin/tsc', '-b', 'packages/core', 'packages/server', 'packages/studio');
  run('scripts/bundle.mjs');
  run('scripts/declarations.mjs');
});

describe.each(['core', 'server', 'cli', 'studio'])('the package of %s', (name) => {
  const folder = join(root, 'packages', name);

  test('has a README, a licence, and what its exports and programs lead to, and nothing else', () => {
    expect(packedFiles(folder)).toEqual(neededFiles(folder));
  });

  test('says what it is and where it comes from, in words that people search for', () => {
    const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Record<string, unknown>;
    expect(manifest).toMatchObject({ description: expect.stringMatching(/\w{3}/), license: 'Apache-2.0' });
    expect(manifest).toMatchObject({
      repository: { type: 'git', url: `git+${address}.git`, directory: `packages/${name}` },
      homepage: `${address}/tree/main/packages/${name}#readme`,
    });
    expect(manifest['keywords']).toEqual(expect.arrayContaining(['durable', 'workflow', 'agent']));
    const readme = readFileSync(join(folder, 'README.md'), 'utf8');
    expect(readme).toMatch(/^# \S+\n\n\S/);
    // Read on npm, where a path leads nowhere.
    expect(readme).not.toMatch(/\]\((?!https:)/);
    expect(readFileSync(join(folder, 'LICENSE'), 'utf8')).toContain('Apache License');
  });

  test('has maps that hold the sources, which are not shipped otherwise', () => {
    const files = packedFiles(folder);
    expect(files.filter((file) => file.endsWith('.ts') && !file.endsWith('.d.ts'))).toEqual([]);
    const maps = files
      .filter((file) => file.endsWith('.js.map'))
      .map((file) => readFileSync(join(folder, file), 'utf8'));
    expect(maps.length).toBeGreaterThan(0);
    const contents = maps.flatMap(
      (map) => (JSON.parse(map) as { sourcesContent?: unknown[] }).sourcesContent ?? [null],
    );
    expect(contents.filter((content) => typeof content !== 'string')).toEqual([]);
  });

  test('would be told of with a file too much and a file too few', () => {
    const copy = mkdtempSync(join(tmpdir(), 'holdfast-packed-'));
    onTestFinished(() => rmSync(copy, { recursive: true, force: true }));
    cpSync(folder, copy, { recursive: true, filter: (path) => !/\/(?:node_modules|src|test|\.types)$/.test(path) });
    rmSync(join(copy, 'README.md'));
    const page = name === 'studio' ? ['pages/assets/stray-page.js'] : [];
    for (const stray of ['stray.js', 'stray.d.ts', 'stray.test.js', 'made.tsbuildinfo', ...page])
      writeFileSync(join(copy, 'dist', stray), '');
    const needed = new Set(neededFiles(copy));
    const packed = packedFiles(copy);
    expect(packed.filter((file) => !needed.has(file))).toEqual(
      expect.arrayContaining(
        ['stray.js', 'stray.test.js', 'made.tsbuildinfo', ...page].map((stray) => `dist/${stray}`),
      ),
    );
    expect([...needed].filter((file) => !packed.includes(file))).toEqual(['README.md']);
  });
});
