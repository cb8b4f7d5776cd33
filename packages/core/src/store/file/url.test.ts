import { describe, expect, test } from 'vitest';
import { SimulatedDisk } from '../../testing/disk/simulated-disk.ts';
import { envOf } from '../../testing/file/small-store.ts';
import { openDriver } from '../store.ts';
import { fileStore } from './open.ts';
import { parseFileUrl } from './url.ts';

describe('parseFileUrl()', () => {
  test.each([
    ['file:runs', 'runs'],
    ['file:./a b/ü%20', './a b/ü%20'],
    ['file:/var/lib/holdfast', '/var/lib/holdfast'],
    ['file:../up', '../up'],
  ])('%s names %s', (url, dir) => {
    expect(parseFileUrl(url)).toBe(dir);
  });

  test.each([
    ['file:///var/lib/agents', 'write file:/var/lib/agents'],
    ['file://host/dir', 'it cannot name a host'],
    ['file:~/agents', 'only a shell expands ~; write the whole path'],
    ['file:~', 'only a shell expands ~; write the whole path'],
  ])('refuses %s, and says what to write', (url, hint) => {
    expect(() => parseFileUrl(url)).toThrow(hint);
  });

  test('takes a name that begins with the sign of the shell for a name', () => {
    expect(parseFileUrl('file:~agents')).toBe('~agents');
  });

  test.each([
    'file:',
    'file:   ',
    'file://host/dir',
    'file:dir?readOnly=1',
    'file:dir#x',
    'dir',
    'sqlite:x',
    'file:a\0b',
  ])('refuses %j', (url) => {
    expect(() => parseFileUrl(url)).toThrow(expect.objectContaining({ code: 'HOLDFAST_INVALID_OPTION' }));
  });
});

describe('fileStore()', () => {
  test('opens the directory that it is given', async () => {
    const disk = new SimulatedDisk();
    const env = envOf(disk);
    const driver = await openDriver(fileStore('/runs'), env);
    expect(driver.capabilities).toMatchObject({ reopens: true, shared: false, groupsInFlight: 1 });
    const reader = await openDriver(fileStore('/runs', { readOnly: true }), env);
    expect(await reader.runs({ order: 'oldest', limit: 1 })).toEqual({ headers: [], corrupt: [] });
    await expect(openDriver(fileStore('/runs'), env)).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_LOCKED',
      details: { pid: process.pid },
    });
    await driver.close();
  });

  test.each(['', '  ', 'a\0b', 5])('refuses %j for a directory', (dir) => {
    expect(() => fileStore(dir as string)).toThrow(expect.objectContaining({ code: 'HOLDFAST_INVALID_OPTION' }));
  });
});
