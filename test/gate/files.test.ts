import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { Workspace } from './workspace.ts';

let workspace: Workspace;
beforeEach(() => {
  workspace = new Workspace();
});
afterEach(() => workspace.remove());

const ignore = '/* v8 ignore next';

describe('ignores', () => {
  const withReason = `${ignore} -- the disk is full only in production */\n`;

  test('pass with ten that say why', async () => {
    workspace.writeSources({ 'value/a.ts': withReason.repeat(10) });
    expect(await workspace.check('ignores')).toMatchObject({ passed: true });
  });

  test('fail with the eleventh', async () => {
    workspace.writeSources({ 'value/a.ts': withReason.repeat(10), 'value/b.ts': withReason });
    const { passed, output } = await workspace.check('ignores');
    expect(passed).toBe(false);
    expect(output).toContain('11 coverage ignores, at most 10 are allowed');
    expect(output).toContain('packages/core/src/value/b.ts:1');
  });

  test.each([`${ignore} */`, `${ignore} -- @preserve */`])('fail without a reason: %s', async (text) => {
    workspace.writeSources({ 'value/a.ts': `\n${text}\n` });
    const { passed, output } = await workspace.check('ignores');
    expect(passed).toBe(false);
    expect(output).toContain('packages/core/src/value/a.ts:2: a coverage ignore without a reason');
  });
});

describe('lock', () => {
  interface LockFile {
    packages: Record<string, { resolved?: string }>;
  }
  const editLock = (edit: (lock: LockFile) => void): void => {
    const lock = JSON.parse(readFileSync(join(workspace.path, 'package-lock.json'), 'utf8')) as LockFile;
    edit(lock);
    workspace.write('package-lock.json', JSON.stringify(lock));
  };

  test('passes on the unbroken copy', async () => {
    expect(await workspace.check('lock')).toMatchObject({ passed: true });
  });

  test('fails when the file names a registry host', async () => {
    editLock((lock) => {
      lock.packages['node_modules/vitest'] = { resolved: 'https://registry.example/vitest.tgz' };
    });
    const { passed, output } = await workspace.check('lock');
    expect(passed).toBe(false);
    expect(output).toContain('node_modules/vitest names a registry host');
  });

  test('fails when a package for another platform is left out', async () => {
    editLock((lock) => {
      delete lock.packages['node_modules/@biomejs/cli-darwin-arm64'];
    });
    const { passed, output } = await workspace.check('lock');
    expect(passed).toBe(false);
    expect(output).toMatch(/node_modules\/@biomejs\/cli-darwin-arm64 [\d.]+ is missing/);
  });

  test('fails when the settings of npm name a registry host', async () => {
    workspace.write('.npmrc', 'registry=https://registry.example\n');
    const { passed, output } = await workspace.check('lock');
    expect(passed).toBe(false);
    expect(output).toContain('.npmrc names a registry host');
  });
});

/** Empty files of one folder of the sources. */
function sources(count: number, ending: string): Record<string, string> {
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`time/f${index}${ending}`, '']));
}

describe('folders', () => {
  test('pass with 15 files, and any number of tests and of folders', async () => {
    workspace.writeSources({ ...sources(15, '.ts'), ...sources(16, '.test.ts'), ...sources(16, '/index.ts') });
    expect(await workspace.check('folders')).toMatchObject({ passed: true });
  });

  test('fail with the sixteenth file', async () => {
    workspace.writeSources(sources(16, '.ts'));
    const { passed, output } = await workspace.check('folders');
    expect(passed).toBe(false);
    expect(output).toContain('packages/core/src/time: 16 files, at most 15 are allowed');
  });

  test('fail where a file name stands for two ideas, and pass where stores share one', async () => {
    workspace.writeSources({
      'store/file/run.ts': '',
      'store/memory/run.ts': '',
      'time/index.ts': '',
      'value/index.ts': '',
    });
    expect(await workspace.check('folders')).toMatchObject({ passed: true });
    workspace.writeSources({ 'time/run.ts': '' });
    const { passed, output } = await workspace.check('folders');
    expect(passed).toBe(false);
    expect(output).toContain('have the same name');
  });
});

describe('paths', () => {
  beforeEach(async () => {
    await workspace.run('git', ['init', '--quiet']);
  });

  test('pass on the unbroken copy', async () => {
    expect(await workspace.check('paths')).toMatchObject({ passed: true });
  });

  test.each([
    ['the checkout', () => join(workspace.path, 'notes.txt')],
    ['a home directory', () => ['', 'home', 'ada', 'notes.txt'].join('/')],
  ])('fail when a file names %s', async (_what, path) => {
    workspace.write('docs/notes.md', `\nSee ${path()}.\n`);
    const { passed, output } = await workspace.check('paths');
    expect(passed).toBe(false);
    expect(output).toContain('docs/notes.md:2: names a path of a machine');
  });
});

describe('check', () => {
  test('tells which steps there are', async () => {
    const { passed, output } = await workspace.check('nonsense');
    expect(passed).toBe(false);
    expect(output).toContain('No such step: nonsense. The steps are build, ');
  });

  test('prints only what failed, and does not run what stands on it', async () => {
    const scripts = { 'check:build': 'echo broken && exit 3', 'check:size': 'echo sized', 'check:lock': 'echo locked' };
    workspace.write('package.json', JSON.stringify({ scripts }));
    const { passed, output } = await workspace.check('build,size,lock');
    expect(passed).toBe(false);
    expect(output).toMatch(/FAILED build .*\n\nbroken\n/);
    expect(output).toContain('FAILED size     not run: build failed');
    expect(output).toMatch(/ok {5}lock/);
    expect(output).not.toMatch(/sized|locked/);
  });
});
