import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { corruptLog } from '../../../testing/sqlite/left-log.ts';
import { inDirectory } from '../../../testing/sqlite/sqlite-places.ts';
import { checkLog } from './check-log.ts';

test('refuses a log whose end would be dropped, and says where', async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, 'store.db-wal');
    const { corrupt, at } = await corruptLog();
    writeFileSync(path, corrupt);
    await expect(checkLog(path)).rejects.toMatchObject({
      code: 'HOLDFAST_CORRUPT',
      details: { where: `${path} at byte ${at}`, path },
    });
  });
});

test('looks again at what may be written at the moment', async () => {
  await inDirectory(async (directory) => {
    const path = join(directory, 'store.db-wal');
    const { corrupt, whole } = await corruptLog();
    writeFileSync(path, corrupt);
    const checking = checkLog(path);
    writeFileSync(path, whole);
    await expect(checking).resolves.toBeUndefined();
  });
});

test('has nothing to say of a log that is gone', async () => {
  await inDirectory(async (directory) => {
    await expect(checkLog(join(directory, 'store.db-wal'))).resolves.toBeUndefined();
  });
});

test('fails where it cannot look', async () => {
  await inDirectory(async (directory) => {
    writeFileSync(join(directory, 'file'), '');
    await expect(checkLog(join(directory, 'file', 'store.db-wal'))).rejects.toMatchObject({ code: 'ENOTDIR' });
  });
});
