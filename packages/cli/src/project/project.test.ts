import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { findProject } from './project.ts';

/** What a command finds, and what `--debug` says of it. */
function find(options: Parameters<typeof findProject>[0]) {
  const used: string[] = [];
  const { store, graphs } = findProject({ ...options, onUse: (what) => used.push(what) });
  return { store, graphs, used };
}

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
  test('prefers the options, then the environment, then the nearest package.json', () => {
    const options = { store: 'sqlite:mine.db', graphs: ['c.ts'] };
    const env = { HOLDFAST_STORE: 'sqlite:env.db', HOLDFAST_GRAPHS: ['x.ts', 'y.ts'].join(delimiter) };
    expect(find({ cwd: inner, env, options })).toEqual({
      store: `sqlite:${join(inner, 'mine.db')}`,
      graphs: [join(inner, 'c.ts')],
      used: [
        `store sqlite:${join(inner, 'mine.db')}, chosen by --store`,
        `graphs ${join(inner, 'c.ts')}, chosen by --graphs`,
      ],
    });
    expect(find({ cwd: inner, env, options: {} })).toMatchObject({
      store: `sqlite:${join(inner, 'env.db')}`,
      graphs: [join(inner, 'x.ts'), join(inner, 'y.ts')],
      used: [expect.stringContaining('HOLDFAST_STORE'), expect.stringContaining('HOLDFAST_GRAPHS')],
    });
    const folder = join(root, 'packages');
    expect(find({ cwd: folder, env: {}, options: {} })).toMatchObject({
      store: `file:${join(root, 'runs')}`,
      graphs: [join(root, 'a.ts')],
      used: [expect.stringContaining(join(root, 'package.json')), expect.stringContaining(join(root, 'package.json'))],
    });
  });

  test('takes no settings from above the nearest package.json', () => {
    expect(find({ cwd: inner, env: {}, options: {} })).toMatchObject({
      store: `sqlite:${join(inner, '.holdfast/holdfast.db')}`,
      graphs: [],
    });
  });

  test('defaults to a store in the current folder, and changes only relative paths', () => {
    const nowhere = join(tmpdir());
    expect(find({ cwd: nowhere, env: { HOLDFAST_STORE: '' }, options: {} })).toMatchObject({
      store: `sqlite:${join(nowhere, '.holdfast/holdfast.db')}`,
      graphs: [],
    });
    const noPaths = ['sqlite::memory:', 'sqlite:?durability=normal', 'file:~/runs', 'file:', 'sqlite:  '];
    for (const store of ['postgres://host/db', 'sqlite:/srv/a.db', 'memory:', ...noPaths]) {
      expect(findProject({ cwd: nowhere, env: {}, options: { store } }).store).toBe(store);
    }
  });

  test('refuses invalid settings when they are used', () => {
    writeFileSync(join(inner, 'package.json'), '{"holdfast":{"graphs":"a.ts"}}');
    const project = findProject({ cwd: inner, env: {}, options: { graphs: ['a.ts'] } });
    expect(project.graphs).toEqual([join(inner, 'a.ts')]);
    expect(() => project.store).toThrow('"holdfast" in');
  });
});
