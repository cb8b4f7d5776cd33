import { describe, expect, test } from 'vitest';
import { seededRandom } from '../seeded-random.ts';
import { type CrashWay, crashChoice, crashWays } from './crash-choice.ts';
import type { DiskOperation } from './disk-fault.ts';
import { SimulatedDisk } from './simulated-disk.ts';

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
const bytesOf = (value: string): Uint8Array => new TextEncoder().encode(value);

function cut(disk: SimulatedDisk, way: CrashWay, seed = 1): SimulatedDisk {
  return disk.afterCrash(crashChoice(way, seededRandom(seed)));
}

/** A disk with one synced file. */
async function diskWith(path: string, content: string): Promise<SimulatedDisk> {
  return SimulatedDisk.of([[path, bytesOf(content)]]);
}

/** All the contents that a file is found with after many power cuts. */
async function possible(disk: SimulatedDisk, path: string): Promise<ReadonlySet<string>> {
  const found = new Set<string>();
  for (let seed = 0; seed < 400; seed += 1) {
    const after = cut(disk, 'anything', seed);
    found.add((await after.info(path)) === undefined ? 'missing' : text(await after.readAll(path)));
  }
  return found;
}

describe('files()', () => {
  test('reads back what was written, before any sync', async () => {
    const disk = new SimulatedDisk();
    await disk.makeDirectories('/a/b');
    const file = await disk.open('/a/b/f', 'create');
    await file.write(bytesOf('x'.repeat(1_000)), 0);
    await file.write(bytesOf('yy'), 511);
    expect(await file.size()).toBe(1_000);
    expect(text(await file.read(509, 6))).toBe('xxyyxx');
    expect(text(await disk.readAll('/a/b/f'))).toBe(`${'x'.repeat(511)}yy${'x'.repeat(487)}`);
    await file.truncate(3);
    expect(text(await disk.readAll('/a/b/f'))).toBe('xxx');
    expect(await disk.info('/a/b/f')).toEqual({ type: 'file', size: 3, mode: 0o600 });
    expect(await disk.info('/a/b')).toMatchObject({ type: 'directory', mode: 0o700 });
    expect(await disk.list('/a/b')).toEqual(['f']);
  });

  test('shows zeros where a file was grown past its end', async () => {
    const disk = await diskWith('/f', 'old content');
    const file = await disk.open('/f', 'write');
    await file.truncate(3);
    await file.write(bytesOf('z'), 6);
    expect(text(await disk.readAll('/f'))).toBe('old\0\0\0z');
  });

  test('refuses what the system refuses, with its codes', async () => {
    const disk = await diskWith('/d/f', 'content');
    await expect(disk.open('/d/f', 'create')).rejects.toMatchObject({ code: 'EEXIST' });
    await expect(disk.open('/d/g', 'read')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(disk.remove('/d/g')).rejects.toMatchObject({ code: 'ENOENT' });
    await expect(disk.removeDirectory('/d')).rejects.toMatchObject({ code: 'ENOTEMPTY' });
    await expect(disk.list('/d/f')).rejects.toMatchObject({ code: 'ENOTDIR' });
    await expect(disk.rename('/d/g', '/d/h')).rejects.toMatchObject({ code: 'ENOENT' });
    const file = await disk.open('/d/f', 'read');
    await expect(file.write(bytesOf('x'), 0)).rejects.toMatchObject({ code: 'EBADF' });
    await file.close();
    await expect(file.read(0, 1)).rejects.toMatchObject({ code: 'EBADF' });
  });

  test('continues with an open file after its name is gone', async () => {
    const disk = await diskWith('/f', 'content');
    const file = await disk.open('/f', 'read');
    await disk.remove('/f');
    expect(text(await file.read(0, 7))).toBe('content');
    expect(await disk.info('/f')).toBeUndefined();
  });
});

describe('afterCrash()', () => {
  test('keeps what was synced in every way of losing the rest', async () => {
    const disk = new SimulatedDisk();
    await disk.makeDirectory('/d');
    await disk.syncDirectory('/');
    const file = await disk.open('/d/f', 'create');
    await file.write(bytesOf('content'), 0);
    await file.sync();
    await disk.syncDirectory('/d');
    expect(disk.isDirty).toBe(false);
    for (const way of crashWays) {
      expect([...cut(disk, way).contents()], way).toEqual([['/d/f', bytesOf('content')]]);
    }
  });

  test('loses a new file whose directory was not synced, however well the file was', async () => {
    const disk = await diskWith('/d/other', '');
    const file = await disk.open('/d/f', 'create');
    await file.write(bytesOf('content'), 0);
    await file.sync();
    expect(await possible(disk, '/d/f')).toEqual(new Set(['missing', 'content']));
  });

  test('loses a directory whose own name was not synced, with all that is in it', async () => {
    const disk = new SimulatedDisk();
    await disk.makeDirectory('/d');
    const file = await disk.open('/d/f', 'create');
    await file.sync();
    await disk.syncDirectory('/d');
    expect(cut(disk, 'nothing').contents().size).toBe(0);
  });

  test('gives a renamed file without its data when only the names were synced', async () => {
    const disk = await diskWith('/f', 'old');
    const file = await disk.open('/tmp', 'create');
    await file.write(bytesOf('new'), 0);
    await disk.rename('/tmp', '/f');
    await disk.syncDirectory('/');
    const found = await possible(disk, '/f');
    expect(found).toContain('');
    expect(found).toContain('\0\0\0');
    expect(found).toContain('new');
    expect(found).not.toContain('old');
  });

  test('renames whole or not at all', async () => {
    const disk = await diskWith('/f', 'old');
    disk.put('/tmp', bytesOf('new'));
    await disk.rename('/tmp', '/f');
    for (let seed = 0; seed < 50; seed += 1) {
      const names = (await cut(disk, 'some names', seed).list('/')).toSorted();
      expect([['f'], ['f', 'tmp']]).toContainEqual(names);
    }
  });

  test('never loses a file that is moved between directories', async () => {
    const disk = await diskWith('/a/f', 'content');
    disk.put('/b/other', bytesOf(''));
    await disk.rename('/a/f', '/b/g');
    const places = new Set<string>();
    for (let seed = 0; seed < 100; seed += 1) {
      const after = cut(disk, 'some names', seed);
      const found = [...after.contents().keys()].filter((path) => path !== '/b/other');
      places.add(found.join());
    }
    expect(places).toEqual(new Set(['/a/f', '/b/g', '/a/f,/b/g']));
    await disk.syncDirectory('/a');
    expect([...cut(disk, 'nothing').contents().keys()]).toEqual(['/b/other', '/b/g']);
  });

  test('tears a write at sectors, each old, new or zeros', async () => {
    const disk = await diskWith('/f', 'a'.repeat(1_024));
    const file = await disk.open('/f', 'write');
    await file.write(bytesOf('b'.repeat(1_536)), 0);
    const found = await possible(disk, '/f');
    const sectors = new Set([...found].filter((each) => each.length === 1_536).map(sectorsOf));
    expect(sectors).toEqual(new Set(['aa0', 'ab0', 'ba0', 'bb0', 'aab', 'abb', 'bab', 'bbb']));
    expect([...found].some((each) => each.length === 1_024)).toBe(true);
    expect([...found].some((each) => each.length % 512 !== 0)).toBe(true);
  });

  test('may bring back any content that a sector has had since the sync', async () => {
    const disk = await diskWith('/f', 'first');
    const file = await disk.open('/f', 'write');
    await file.write(bytesOf('other'), 0);
    await file.write(bytesOf('third'), 0);
    expect(await possible(disk, '/f')).toEqual(new Set(['first', 'other', 'third']));
  });

  test('may bring back what an unsynced truncation or removal took', async () => {
    const disk = await diskWith('/d/f', 'content');
    const file = await disk.open('/d/f', 'write');
    await file.truncate(0);
    expect(await possible(disk, '/d/f')).toContain('content');
    await file.sync();
    await disk.remove('/d/f');
    await disk.removeDirectory('/d');
    expect(await possible(disk, '/d/f')).toEqual(new Set(['', 'missing']));
  });

  test('leaves the disk before the crash as it was', async () => {
    const disk = await diskWith('/f', 'old');
    const file = await disk.open('/f', 'write');
    await file.write(bytesOf('new'), 0);
    const after = cut(disk, 'nothing');
    await (await after.open('/f', 'write')).write(bytesOf('xxx'), 0);
    expect(text(await disk.readAll('/f'))).toBe('new');
    await file.sync();
    expect(text(await cut(disk, 'nothing').readAll('/f'))).toBe('new');
  });

  test('chooses the same for the same seed', async () => {
    const disk = await diskWith('/f', '');
    const file = await disk.open('/f', 'write');
    await file.write(bytesOf('b'.repeat(5_000)), 0);
    for (let seed = 0; seed < 20; seed += 1) {
      expect(cut(disk, 'anything', seed).contents()).toEqual(cut(disk, 'anything', seed).contents());
    }
  });
});

describe('faults', () => {
  test('writes a part and then fails, as a full disk does', async () => {
    const disk = new SimulatedDisk({
      faults: ({ kind }) => (kind === 'write' ? { code: 'ENOSPC', written: 3 } : undefined),
    });
    const file = await disk.open('/f', 'create');
    await expect(file.write(bytesOf('content'), 0)).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(text(await disk.readAll('/f'))).toBe('con');
  });

  test('forgets dirty data in a failed sync; the next sync succeeds and saves none of it', async () => {
    const outcomes = new Set<string>();
    for (let seed = 0; seed < 50; seed += 1) {
      let syncs = 0;
      const disk = new SimulatedDisk({
        seed,
        faults: ({ kind }) => (kind === 'sync' && (syncs += 1) === 1 ? { code: 'EIO' } : undefined),
      });
      const file = await disk.open('/f', 'create');
      await disk.syncDirectory('/');
      await file.write(bytesOf('content'), 0);
      await expect(file.sync()).rejects.toMatchObject({ code: 'EIO' });
      expect(text(await disk.readAll('/f'))).toBe('content');
      await file.sync();
      expect(disk.isDirty).toBe(false);
      outcomes.add(text(await cut(disk, 'everything').readAll('/f')).replaceAll('\0', '0'));
    }
    expect(outcomes).toContain('');
    expect(outcomes).toContain('0000000');
    expect(outcomes).toContain('content');
  });

  test('leaves names in doubt in a failed sync of their directory, until one succeeds', async () => {
    const outcomes = new Set<boolean>();
    for (let seed = 0; seed < 20; seed += 1) {
      let syncs = 0;
      const disk = new SimulatedDisk({
        seed,
        faults: ({ kind }) => (kind === 'sync-directory' && (syncs += 1) === 1 ? { code: 'EIO' } : undefined),
      });
      await disk.open('/f', 'create');
      await expect(disk.syncDirectory('/')).rejects.toMatchObject({ code: 'EIO' });
      outcomes.add((await cut(disk, 'nothing').info('/f')) !== undefined);
      await disk.syncDirectory('/');
      expect(await cut(disk, 'nothing').info('/f')).toBeDefined();
    }
    expect(outcomes).toEqual(new Set([true, false]));
  });
});

describe('calls that are made at once', () => {
  test('take effect, fail and are told of like the others', async () => {
    const told: string[] = [];
    let fails = false;
    const disk = new SimulatedDisk({
      faults: () => (fails ? { code: 'ENOSPC', written: 3 } : undefined),
      onChange: ({ kind }) => told.push(kind),
    });
    const file = await disk.open('/f', 'create');
    await disk.syncDirectory('/');
    file.atOnce?.write(bytesOf('content'), 0);
    expect(disk.isDirty).toBe(true);
    file.atOnce?.sync();
    expect(text(await cut(disk, 'nothing').readAll('/f'))).toBe('content');
    fails = true;
    expect(() => file.atOnce?.write(bytesOf('CONTENT'), 0)).toThrow('ENOSPC');
    expect(() => file.atOnce?.sync()).toThrow('ENOSPC');
    fails = false;
    expect(text(await disk.readAll('/f'))).toBe('CONtent');
    expect(told).toEqual(['create', 'sync-directory', 'write', 'sync', 'write', 'sync']);
    await file.close();
    expect(() => file.atOnce?.sync()).toThrow('EBADF');
  });
});

describe('order', () => {
  test('tells of every change when it has taken effect, before its caller knows', async () => {
    const told: DiskOperation[] = [];
    const disk = new SimulatedDisk({ onChange: (operation) => told.push(operation) });
    const file = await disk.open('/f', 'create');
    await file.write(bytesOf('content'), 0);
    await file.read(0, 1);
    await file.sync();
    await disk.rename('/f', '/g');
    await disk.syncDirectory('/');
    const kinds = ['create', 'write', 'sync', 'rename', 'sync-directory'];
    expect(told.map(({ kind }) => kind)).toEqual(kinds);
    expect(told.map(({ index }) => index)).toEqual([0, 1, 2, 3, 4]);
    expect(disk.operations).toBe(5);
  });

  test('lets concurrent calls take effect in another order for another seed, and in the same for the same', async () => {
    const orders = new Set<string>();
    for (let seed = 0; seed < 20; seed += 1) {
      const order = await orderOf(seed);
      expect(await orderOf(seed)).toBe(order);
      orders.add(order);
    }
    expect(orders.size).toBeGreaterThan(3);
  });
});

async function orderOf(seed: number): Promise<string> {
  const told: string[] = [];
  const disk = new SimulatedDisk({ seed, onChange: ({ path }) => told.push(path) });
  await Promise.all(['/a', '/b', '/c'].map((path) => disk.open(path, 'create')));
  return told.join('');
}

/** `a`, `b` or `0` for each sector that holds only that. */
function sectorsOf(content: string): string {
  const sectors = [0, 1, 2].map((at) => content.slice(at * 512, at * 512 + 512));
  return sectors.map((sector) => (sector === 'a'.repeat(512) ? 'a' : sector === 'b'.repeat(512) ? 'b' : '0')).join('');
}
