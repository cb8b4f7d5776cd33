import { existsSync } from 'node:fs';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { nodeFiles, type Writable, writeAll } from './node-files.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const text = (content: Uint8Array): string => new TextDecoder().decode(content);

let root = '';
let path = '';

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'holdfast-files-'));
  path = join(root, 'file');
});

afterEach(async () => {
  await rm(root, { recursive: true });
});

describe('nodeFiles.open()', () => {
  test('creates a file that only its owner can read', async () => {
    const handle = await nodeFiles.open(path, 'create');
    await handle.write(bytes('hello'), 0);
    await handle.sync();
    await handle.close();
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readFile(path, 'utf8')).toBe('hello');
  });

  test('refuses to create what exists', async () => {
    await writeFile(path, 'old');
    await expect(nodeFiles.open(path, 'create')).rejects.toMatchObject({ code: 'EEXIST' });
    await symlink(join(root, 'elsewhere'), join(root, 'link'));
    await expect(nodeFiles.open(join(root, 'link'), 'create')).rejects.toMatchObject({ code: 'EEXIST' });
    expect(await readFile(path, 'utf8')).toBe('old');
  });

  test('neither creates nor empties a file that is opened to write', async () => {
    await expect(nodeFiles.open(path, 'write')).rejects.toMatchObject({ code: 'ENOENT' });
    await writeFile(path, 'hello');
    const handle = await nodeFiles.open(path, 'write');
    await handle.write(bytes('J'), 0);
    expect(text(await handle.read(0, 99))).toBe('Jello');
    await handle.close();
  });

  test('does not write to a file that is opened to read', async () => {
    await writeFile(path, 'hello');
    const handle = await nodeFiles.open(path, 'read');
    await expect(handle.write(bytes('x'), 0)).rejects.toMatchObject({ code: 'EBADF' });
    await handle.close();
  });

  test('does not follow a link', async () => {
    await writeFile(path, 'secret');
    await symlink(path, join(root, 'link'));
    const unsafe = { code: 'HOLDFAST_STORE_UNSAFE', message: expect.stringContaining(join(root, 'link')) };
    await expect(nodeFiles.open(join(root, 'link'), 'read')).rejects.toMatchObject(unsafe);
    await expect(nodeFiles.open(join(root, 'link'), 'write')).rejects.toMatchObject(unsafe);
    await expect(nodeFiles.readAll(join(root, 'link'))).rejects.toMatchObject(unsafe);
  });
});

describe('an open file', () => {
  test('reads and writes at positions and knows its size', async () => {
    const handle = await nodeFiles.open(path, 'create');
    await handle.write(bytes('abc'), 2);
    expect(await handle.size()).toBe(5);
    expect(text(await handle.read(0, 4))).toBe('\0\0ab');
    expect(text(await handle.read(3, 99))).toBe('bc');
    expect(await handle.read(99, 5)).toHaveLength(0);
    await handle.truncate(3);
    expect(await handle.size()).toBe(3);
    await handle.write(new Uint8Array(), 3);
    await handle.close();
    expect(text(await nodeFiles.readAll(path))).toBe('\0\0a');
  });
});

describe('an open file, at once', () => {
  test('writes and syncs the same', async () => {
    const handle = await nodeFiles.open(path, 'create');
    handle.atOnce?.write(bytes('first'), 0);
    handle.atOnce?.sync();
    await handle.write(bytes('last'), 5);
    handle.atOnce?.write(new Uint8Array(), 9);
    await handle.close();
    expect(text(await nodeFiles.readAll(path))).toBe('firstlast');
  });

  test('throws the error that the asynchronous call rejects with', async () => {
    await (await nodeFiles.open(path, 'create')).close();
    const handle = await nodeFiles.open(path, 'read');
    expect(() => handle.atOnce?.write(bytes('x'), 0)).toThrow(expect.objectContaining({ code: 'EBADF' }));
    await handle.close();
    expect(() => handle.atOnce?.sync()).toThrow('fd');
  });
});

describe('writeAll()', () => {
  test('continues after a short write', async () => {
    const disk = new Uint8Array(20);
    const file: Writable = {
      write: async (content, offset, length, position) => {
        const bytesWritten = Math.min(length, 3);
        disk.set(content.subarray(offset, offset + bytesWritten), position);
        return { bytesWritten };
      },
    };
    await writeAll(file, bytes('hello world'), 5);
    expect(text(disk)).toBe('\0\0\0\0\0hello world\0\0\0\0');
  });

  test('fails when nothing more is written', async () => {
    await expect(writeAll({ write: async () => ({ bytesWritten: 0 }) }, bytes('x'), 0)).rejects.toThrow(
      /none of 1 bytes/,
    );
  });
});

describe('nodeFiles.makeDirectory()', () => {
  test('creates one for its owner only, and keeps an existing one', async () => {
    await nodeFiles.makeDirectory(join(root, 'a'));
    await writeFile(join(root, 'a/file'), 'x');
    await nodeFiles.makeDirectory(join(root, 'a'));
    expect((await stat(join(root, 'a'))).mode & 0o777).toBe(0o700);
    expect(await nodeFiles.list(join(root, 'a'))).toEqual(['file']);
  });

  test('does not create its parents', async () => {
    await expect(nodeFiles.makeDirectory(join(root, 'a/b'))).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await nodeFiles.list(root)).toEqual([]);
  });

  test('refuses a file or a link in its place', async () => {
    await writeFile(path, 'x');
    await symlink(root, join(root, 'link'));
    await expect(nodeFiles.makeDirectory(path)).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(nodeFiles.makeDirectory(join(root, 'link'))).rejects.toMatchObject({ code: 'EEXIST' });
  });
});

describe('nodeFiles.makeDirectories()', () => {
  test('creates its parents too, for their owner only', async () => {
    await nodeFiles.makeDirectories(join(root, 'a/b/c'));
    for (const each of ['a', 'a/b', 'a/b/c']) expect((await stat(join(root, each))).mode & 0o777).toBe(0o700);
    await nodeFiles.makeDirectories(join(root, 'a/b/c'));
  });

  test('reports what is in the way', async () => {
    await writeFile(path, 'x');
    await symlink(join(root, 'nowhere'), join(root, 'dangling'));
    await expect(nodeFiles.makeDirectories(join(path, 'a/b'))).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(nodeFiles.makeDirectories(join(root, 'dangling/a'))).rejects.toMatchObject({ code: 'EEXIST' });
  });

  test.runIf(existsSync('/proc/self'))('gives the reason of the system and not that something is missing', async () => {
    const reason = await mkdir('/proc/holdfast').catch((error: NodeJS.ErrnoException) => error.code);
    await expect(nodeFiles.makeDirectories('/proc/holdfast/a')).rejects.toMatchObject({ code: reason });
  });
});

describe('nodeFiles.info()', () => {
  test('does not follow links', async () => {
    await writeFile(path, 'hello');
    await chmod(path, 0o640);
    await symlink(path, join(root, 'link'));
    await symlink(join(root, 'nowhere'), join(root, 'dangling'));
    expect(await nodeFiles.info(path)).toEqual({ type: 'file', size: 5, mode: 0o640, isForeign: false });
    expect(await nodeFiles.info(root)).toMatchObject({ type: 'directory', mode: 0o700 });
    expect(await nodeFiles.info(join(root, 'link'))).toMatchObject({ type: 'symlink' });
    expect(await nodeFiles.info(join(root, 'dangling'))).toMatchObject({ type: 'symlink' });
    expect(await nodeFiles.info(join(root, 'nothing'))).toBeUndefined();
    expect(await nodeFiles.info(join(path, 'below-a-file'))).toBeUndefined();
    await expect(nodeFiles.info('\0')).rejects.toMatchObject({ code: 'ERR_INVALID_ARG_VALUE' });
  });

  test('recognises what is neither a file nor a directory', async () => {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(join(root, 'socket'), resolve));
    expect(await nodeFiles.info(join(root, 'socket'))).toMatchObject({ type: 'other' });
    await new Promise((resolve) => server.close(resolve));
  });
});

describe('nodeFiles', () => {
  test('lists, renames, removes and syncs directories', async () => {
    await nodeFiles.makeDirectory(join(root, 'dir'));
    await writeFile(path, 'x');
    await nodeFiles.rename(path, join(root, 'dir/moved'));
    await nodeFiles.syncDirectory(root);
    await nodeFiles.syncDirectory(join(root, 'dir'));
    expect(await nodeFiles.list(join(root, 'dir'))).toEqual(['moved']);
    await expect(nodeFiles.removeDirectory(join(root, 'dir'))).rejects.toMatchObject({ code: 'ENOTEMPTY' });
    await nodeFiles.remove(join(root, 'dir/moved'));
    await nodeFiles.removeDirectory(join(root, 'dir'));
    expect(await nodeFiles.list(root)).toEqual([]);
    await expect(nodeFiles.remove(path)).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(nodeFiles.list(join(root, 'nothing'))).rejects.toMatchObject({ code: 'ENOENT' });
  });

  test('syncs only directories as such', async () => {
    await writeFile(path, 'x');
    await expect(nodeFiles.syncDirectory(path)).rejects.toMatchObject({ code: 'ENOTDIR' });
  });
});
