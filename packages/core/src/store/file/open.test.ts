import { chmod, mkdir, mkdtemp, readdir, readFile, rename, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { create, snapshotOf } from '../../testing/contract/given.ts';
import { systemError } from '../../testing/disk/disk-fault.ts';
import { SimulatedDisk } from '../../testing/disk/simulated-disk.ts';
import { changedFiles } from '../../testing/file/changed-files.ts';
import { envOf, root, smallStore } from '../../testing/file/small-store.ts';
import { virtualMachine } from '../../testing/file/virtual-machine.ts';
import { sealLine } from '../../value/hash/sealed-line.ts';
import { CheckedStore } from '../checked-store.ts';
import { folderName } from './folder/names.ts';
import { openFileDriver } from './open.ts';

let folder: string;
let dir: string;

beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdfast-open-'));
  dir = join(folder, 'store');
});

afterEach(() => rm(folder, { recursive: true }));

async function open(path: string = dir): Promise<CheckedStore> {
  return new CheckedStore(await openFileDriver({ dir: path, env: nodeEnv }), nodeEnv);
}

describe('a new store', () => {
  test('is made with all that is missing above it, for its owner alone', async () => {
    const deep = join(folder, 'a', 'b', 'store');
    const store = await open(deep);
    await create(store, 'run', { snapshot: snapshotOf(1) });
    await store.close();
    for (const path of await readdir(deep, { recursive: true })) {
      const { mode } = await stat(join(deep, path));
      expect(mode & 0o077, path).toBe(0);
    }
    expect((await stat(deep)).mode & 0o777).toBe(0o700);
    expect((await readdir(deep)).toSorted()).toEqual(['holdfast.json', 'index.jsonl', 'lock-000001', 'runs']);
  });

  test('is made in a directory that is there and empty', async () => {
    await mkdir(dir, { mode: 0o755 });
    await (await open()).close();
    await (await open()).close();
    expect(await readdir(dir)).toContain('holdfast.json');
  });

  test('is made again where a process died while it made it', async () => {
    await mkdir(join(dir, 'runs'), { recursive: true });
    await writeFile(join(dir, 'holdfast.json.tmp'), '{"for');
    await (await open()).close();
    expect(await readdir(dir)).toContain('holdfast.json');
  });
});

describe('a store that is moved away while it is open', () => {
  test('takes no new run, and makes nothing where it was', async () => {
    const store = await open();
    await create(store, 'a');
    await rename(dir, join(folder, 'moved'));
    await expect(create(store, 'b')).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_FAILED',
      cause: { code: 'ENOENT' },
    });
    expect(await readdir(folder)).toEqual(['moved']);
    expect(await readdir(join(folder, 'moved', 'runs'))).toEqual([folderName('a')]);
    await store.close();
    const moved = await open(join(folder, 'moved'));
    expect(await moved.header('a')).toBeDefined();
    await moved.close();
  });
});

async function fails(path: string): Promise<never> {
  throw systemError('EROFS', path);
}

describe('a file system that is read-only', () => {
  test('is named as the reason, and how to read what is there', async () => {
    const disk = new SimulatedDisk();
    const files = changedFiles(disk, { makeDirectory: fails, makeDirectories: fails });
    const opening = (): Promise<unknown> => openFileDriver({ dir: root, env: { ...envOf(disk), files } });
    const said = { code: 'HOLDFAST_STORE_FAILED', message: expect.stringMatching(/read-only.*readOnly: true/) };
    await expect(opening()).rejects.toMatchObject(said);
    for (const [path, bytes] of await smallStore('closed')) disk.put(path, bytes);
    await expect(opening()).rejects.toMatchObject(said);
  });
});

describe('a directory that is not a store', () => {
  test('is refused with something else in it, and left alone', async () => {
    await mkdir(dir);
    await writeFile(join(dir, 'precious.txt'), 'mine');
    await expect(open()).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_FOREIGN',
      details: { found: 'precious.txt' },
    });
    expect(await readdir(dir)).toEqual(['precious.txt']);
  });

  test('is refused when it is a file', async () => {
    await writeFile(dir, 'mine');
    await expect(open()).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FOREIGN' });
    expect(await readFile(dir, 'utf8')).toBe('mine');
  });

  test('is refused when it lies below a file', async () => {
    await writeFile(dir, 'mine');
    await expect(open(join(dir, 'store'))).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FAILED' });
  });
});

describe('an unsafe directory', () => {
  test('is refused when it is a symbolic link', async () => {
    await mkdir(join(folder, 'elsewhere'));
    await symlink(join(folder, 'elsewhere'), dir);
    await expect(open()).rejects.toMatchObject({ code: 'HOLDFAST_STORE_UNSAFE' });
    expect(await readdir(join(folder, 'elsewhere'))).toEqual([]);
  });

  test('is refused when everybody may write to it', async () => {
    await mkdir(dir);
    await chmod(dir, 0o777);
    await expect(open()).rejects.toMatchObject({ code: 'HOLDFAST_STORE_UNSAFE' });
    expect(await readdir(dir)).toEqual([]);
  });

  test('is refused when it is sticky too, where a new folder in it can hold a store', async () => {
    await mkdir(dir);
    await chmod(dir, 0o1777);
    await expect(open()).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_UNSAFE',
      message: `${dir} cannot hold a store: everyone may write to it; use a new folder in it.`,
    });
    const inside = join(dir, 'runs');
    for (let opening = 1; opening <= 2; opening += 1) {
      const store = await open(inside);
      await create(store, `run-${opening}`, { snapshot: snapshotOf(1) });
      await store.close();
    }
    expect((await stat(inside)).mode & 0o777).toBe(0o700);
  });

  test('is refused when the folder of the runs, or of a run, is a symbolic link', async () => {
    const store = await open();
    await create(store, 'run');
    await store.close();
    const runs = join(dir, 'runs');
    await rename(join(runs, folderName('run')), join(folder, 'moved'));
    await symlink(join(folder, 'moved'), join(runs, folderName('run')));
    const reopened = await open();
    await expect(reopened.records({ runId: 'run', order: 'oldest', limit: 1 })).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_UNSAFE',
    });
    await reopened.close();
    await rename(runs, join(folder, 'runs'));
    await symlink(join(folder, 'runs'), runs);
    await expect(open()).rejects.toMatchObject({ code: 'HOLDFAST_STORE_UNSAFE' });
  });

  test('is refused when a journal is a symbolic link', async () => {
    const store = await open();
    await create(store, 'run');
    await store.close();
    const journal = join(dir, 'runs', folderName('run'), 'journal-000000001.jsonl');
    await rename(journal, join(folder, 'moved'));
    await symlink(join(folder, 'moved'), journal);
    const reopened = await open();
    await expect(reopened.records({ runId: 'run', order: 'oldest', limit: 1 })).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_UNSAFE',
      details: { path: journal },
    });
    await reopened.close();
  });
});

describe('ids', () => {
  test.each(['../x', '../../etc/passwd', 'a/b', '.', '', 'nul\0', 'ü', '-x'])(
    'never reach the disk: %j',
    async (id) => {
      const store = await open();
      await expect(create(store, id)).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_ID' });
      await store.close();
      expect(await readdir(join(dir, 'runs'))).toEqual([]);
      expect(await readdir(folder)).toEqual(['store']);
    },
  );

  test('that a driver is asked for by itself become hashes', async () => {
    const store = await open();
    await create(store, 'CON.fine:id');
    await store.close();
    expect(await readdir(join(dir, 'runs'))).toEqual([folderName('CON.fine:id')]);
    expect(folderName('../../x')).toMatch(/^[0-9a-f]{32}$/);
  });
});

/** A store with that for the file that says what it is. */
async function marker(text: string): Promise<SimulatedDisk> {
  return SimulatedDisk.of(new Map(await smallStore('closed')).set(`${root}/holdfast.json`, Buffer.from(text)));
}

describe('formats', () => {
  test.each([false, true])('that are newer are refused, and nothing is written (readOnly: %j)', async (readOnly) => {
    const disk = await marker(sealLine('format ', '{"format":"holdfast file store","version":2,"more":true'));
    const before = disk.contents();
    await expect(openFileDriver({ dir: root, env: envOf(disk), readOnly })).rejects.toMatchObject({
      code: 'HOLDFAST_UNKNOWN_FORMAT',
      details: { version: 2 },
    });
    expect(disk.contents()).toEqual(before);
  });

  test('that cannot be read are corrupt', async () => {
    const disk = await marker('{}\n');
    await expect(openFileDriver({ dir: root, env: envOf(disk) })).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
  });

  test.each(['{"format":"something else","version":1', '{"version":2', '{"format":5'])(
    'that are none of ours are foreign: %s',
    async (members) => {
      const disk = await marker(sealLine('format ', members));
      const before = disk.contents();
      await expect(openFileDriver({ dir: root, env: envOf(disk) })).rejects.toMatchObject({
        code: 'HOLDFAST_STORE_FOREIGN',
        details: { found: 'holdfast.json' },
      });
      expect(disk.contents()).toEqual(before);
    },
  );

  test('need their runs', async () => {
    const all = await smallStore('closed');
    const disk = SimulatedDisk.of([...all].filter(([path]) => !path.startsWith(`${root}/runs`)));
    await expect(openFileDriver({ dir: root, env: envOf(disk), machine: virtualMachine() })).rejects.toMatchObject({
      code: 'HOLDFAST_CORRUPT',
      details: { where: 'runs' },
    });
    // The lock that was taken for it is released again.
    disk.put(`${root}/runs/x`, Buffer.alloc(0));
    await (await openFileDriver({ dir: root, env: envOf(disk), machine: virtualMachine() })).close();
  });
});
