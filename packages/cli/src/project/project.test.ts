import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findProject } from './project.ts';

let root: string;
let inner: string;
beforeAll(() => {
  root = mkdtempSync(join(tmpdir(), 'holdfast-project-'));
  inner = join(root, 'packages/shop');
  mkdirSync(inner, { recursive: true });
  writeFileSync(join(root, 'package.json'), JSON.stringify({ holdfast: { store: 'file:runs', graphs: ['a.ts'] } }));
  writeFileSync(join(inner, 'package.json'), '{"name":"shop"}');
});
afterAll(() => rmSync(root, { recursive: true }));

describe('findProject()', () => {
  test('prefers the options, then the environment, then the nearest package.json with settings', () => {
    const options = { store: 'sqlite:mine.db', graphs: ['c.ts'] };
    const env = { HOLDFAST_STORE: 'sqlite:env.db', HOLDFAST_GRAPHS: ['x.ts', 'y.ts'].join(delimiter) };
    expect(findProject({ cwd: inner, env, options })).toEqual({
      store: `sqlite:${join(inner, 'mine.db')}`,
      graphs: [join(inner, 'c.ts')],
    });
    expect(findProject({ cwd: inner, env, options: {} })).toEqual({
      store: `sqlite:${join(inner, 'env.db')}`,
      graphs: [join(inner, 'x.ts'), join(inner, 'y.ts')],
    });
    expect(findProject({ cwd: inner, env: {}, options: {} })).toEqual({
      store: `file:${join(root, 'runs')}`,
      storeChosenBy: join(root, 'package.json'),
      graphs: [join(root, 'a.ts')],
    });
  });

  test('defaults to a store in the current folder, and changes only relative paths', () => {
    const nowhere = join(tmpdir());
    expect(findProject({ cwd: nowhere, env: { HOLDFAST_STORE: '' }, options: {} })).toEqual({
      store: `sqlite:${join(nowhere, '.holdfast/holdfast.db')}`,
      storeChosenBy: join(nowhere, '.holdfast'),
      graphs: [],
    });
    const noPaths = ['sqlite::memory:', 'sqlite:?durability=normal', 'file:~/runs', 'file:', 'sqlite:  '];
    for (const store of ['postgres://host/db', 'sqlite:/srv/a.db', 'memory:', ...noPaths]) {
      expect(findProject({ cwd: nowhere, env: {}, options: { store } }).store).toBe(store);
    }
  });

  test('refuses invalid settings', () => {
    writeFileSync(join(inner, 'package.json'), '{"holdfast":{"graphs":"a.ts"}}');
    expect(() => findProject({ cwd: inner, env: {}, options: {} })).toThrow('"holdfast" in');
  });
});
