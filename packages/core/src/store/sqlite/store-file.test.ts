import { chmod, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { inDirectory } from '../../testing/sqlite/sqlite-places.ts';
import { prepareFile } from './store-file.ts';

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
