import { chmod, mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inDirectory } from '../../../testing/sqlite/sqlite-places.ts';
import { findFile, logPagesOf, prepareFile } from './store-file.ts';

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

test('creates the file and its directories for the owner alone', async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, 'a', 'b', 'store.db');
    await prepareFile(path);
    expect(await modeOf(path)).toBe(0o600);
    expect(await modeOf(join(directory, 'a'))).toBe(0o700);
    expect(await modeOf(join(directory, 'a', 'b'))).toBe(0o700);
  });
});

test('leaves a file that is there as it is', async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, 'store.db');
    await writeFile(path, 'content', { mode: 0o640 });
    await prepareFile(path);
    expect(await modeOf(path)).toBe(0o640);
    expect((await stat(path)).size).toBe(7);
  });
});

test('refuses a directory that everybody can write', async () => {
  await inDirectory(async (directory) => {
    await chmod(directory, 0o777);
    await expect(prepareFile(join(directory, 'store.db'))).rejects.toMatchObject({ code: 'HOLDFAST_STORE_UNSAFE' });
  });
});

test.each(['', '-wal', '-shm'])('refuses a symbolic link at store.db%s', async (end) => {
  await inDirectory(async (directory) => {
    const path = join(directory, 'store.db');
    await symlink(join(directory, 'elsewhere'), `${path}${end}`);
    await expect(prepareFile(path)).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_UNSAFE',
      message: expect.stringContaining('symbolic link'),
    });
  });
});

test.each(['', '-wal', '-shm'])('refuses a store.db%s that everybody can write', async (end) => {
  await inDirectory(async (directory) => {
    const path = join(directory, 'store.db');
    await writeFile(`${path}${end}`, 'content');
    await chmod(`${path}${end}`, 0o666);
    await expect(prepareFile(path)).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_UNSAFE',
      details: { path: `${path}${end}` },
    });
  });
});

test.each([undefined, ''])('refuses a log whose database is gone or empty, and leaves it alone', async (content) => {
  await inDirectory(async (directory) => {
    const path = join(directory, 'store.db');
    if (content !== undefined) await writeFile(path, content);
    const log = Buffer.alloc(8_240, 1);
    await writeFile(`${path}-wal`, log);
    await expect(prepareFile(path)).rejects.toMatchObject({
      code: 'HOLDFAST_CORRUPT',
      message: expect.stringContaining('store.db-wal'),
    });
    expect(await readFile(`${path}-wal`)).toEqual(log);
  });
});

test('takes a log that holds nothing for none', async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, 'store.db');
    await writeFile(`${path}-wal`, Buffer.alloc(32, 1));
    await prepareFile(path);
    expect(await logPagesOf(path)).toBe(0);
  });
});

test('finds a database only where something is in it', async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, 'store.db');
    const gone = { code: 'HOLDFAST_NOT_FOUND', details: { path } };
    await expect(findFile(path)).rejects.toMatchObject(gone);
    await writeFile(path, '');
    await expect(findFile(path)).rejects.toMatchObject(gone);
    await writeFile(path, 'content');
    await findFile(path);
  });
});

test('refuses what is not a file', async () => {
  await inDirectory(async (directory) => {
    await mkdir(join(directory, 'store.db'));
    await expect(prepareFile(join(directory, 'store.db'))).rejects.toMatchObject({ code: 'HOLDFAST_STORE_UNSAFE' });
  });
});

test('fails where nothing can be created', async () => {
  await inDirectory(async (directory) => {
    await expect(prepareFile(join(directory, 'x'.repeat(300)))).rejects.toMatchObject({ code: 'ENAMETOOLONG' });
  });
});
