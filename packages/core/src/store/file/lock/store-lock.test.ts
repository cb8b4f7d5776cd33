import { beforeEach, describe, expect, test } from 'vitest';
import type { Files } from '../../../env/files.ts';
import type { Machine } from '../../../env/machine.ts';
import { HoldfastError } from '../../../errors/holdfast-error.ts';
import { systemError } from '../../../testing/disk/disk-fault.ts';
import { SimulatedDisk } from '../../../testing/disk/simulated-disk.ts';
import { changedFiles } from '../../../testing/file/changed-files.ts';
import { envOf } from '../../../testing/file/small-store.ts';
import { virtualHost, virtualMachine } from '../../../testing/file/virtual-machine.ts';
import { StoreLock } from './store-lock.ts';

let disk: SimulatedDisk;

beforeEach(async () => {
  disk = new SimulatedDisk();
  await disk.makeDirectory('/store');
});

function take(machine: Machine, files: Files = disk): Promise<StoreLock> {
  return StoreLock.acquire({ env: { ...envOf(disk), files }, root: '/store', machine });
}

async function fails(path: string): Promise<never> {
  throw systemError('EIO', path);
}

describe('acquire()', () => {
  test('refuses a second one, and names the holder and the way out', async () => {
    const machine = virtualMachine();
    await take(machine);
    await expect(take(machine)).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_LOCKED',
      message: expect.stringMatching(/process \d+ on host since 2026-01-01T00:00:00.000Z.*sqlite:.*lock-000001/),
      details: { dir: '/store', pid: machine.self().pid, host: 'host', since: '2026-01-01T00:00:00.000Z' },
    });
    expect(await disk.list('/store')).toEqual(['lock-000001']);
  });

  test('takes what was released, and clears the old lock away', async () => {
    await (await take(virtualMachine())).release();
    await (await take(virtualMachine())).release();
    await take(virtualMachine());
    expect(await disk.list('/store')).toEqual(['lock-000003']);
  });

  test('takes what a dead process holds, and clears away what one was about to take', async () => {
    await take(virtualMachine());
    const dies = changedFiles(disk, {
      rename: async () => {
        throw new Error('killed');
      },
      remove: async () => {
        throw new Error('killed');
      },
    });
    await expect(take(virtualMachine(), dies)).rejects.toThrow('killed');
    expect((await disk.list('/store')).length).toBe(2);
    await take(virtualMachine());
    expect(await disk.list('/store')).toEqual(['lock-000002']);
  });

  test('lets one of many win that come at once', async () => {
    for (let round = 0; round < 30; round += 1) {
      disk = new SimulatedDisk({ seed: round });
      await disk.makeDirectory('/store');
      await take(virtualMachine());
      const start = virtualHost();
      const rivals = Array.from({ length: 6 }, start);
      const taken = await Promise.allSettled(rivals.map((rival) => take(rival)));
      expect(taken.filter(({ status }) => status === 'fulfilled').length, `round ${round}`).toBe(1);
      const reasons = taken.flatMap((outcome) => (outcome.status === 'rejected' ? [outcome.reason as unknown] : []));
      expect(reasons.every((reason) => HoldfastError.is(reason, 'HOLDFAST_STORE_LOCKED'))).toBe(true);
    }
  });

  test('gives way when it comes late with a number that has been passed', async () => {
    const start = virtualHost();
    const first = start();
    const late = changedFiles(disk, {
      // Looks before the other takes its lock, and renames after that one is cleared away.
      rename: async (from, to) => {
        if (to.endsWith('lock-000001')) {
          await (await take(first)).release();
          await take(first);
        }
        await disk.rename(from, to);
      },
    });
    await expect(take(start(), late)).rejects.toMatchObject({ code: 'HOLDFAST_STORE_LOCKED' });
    expect(await disk.list('/store')).toEqual(['lock-000002']);
  });

  test('gives up when others are always faster', async () => {
    const never = changedFiles(disk, {
      rename: async (_, to) => {
        throw systemError('ENOTEMPTY', to);
      },
    });
    await expect(take(virtualMachine(), never)).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_LOCKED',
      message: expect.stringContaining('Several processes'),
    });
  });

  test('tries again when the lock that it looked at is cleared away meanwhile', async () => {
    const start = virtualHost();
    const machine = start();
    await take(machine);
    machine.die();
    let isFirst = true;
    const late = changedFiles(disk, {
      readAll: async (path) => {
        if (isFirst) {
          isFirst = false;
          await (await take(machine)).release();
        }
        return disk.readAll(path);
      },
    });
    await take(start(), late);
    expect(await disk.list('/store')).toEqual(['lock-000003']);
  });

  test.each(['', 'not what was written\n'])('refuses a lock that does not say who holds it: %j', async (text) => {
    disk.put('/store/lock-000001/holder.json', Buffer.from(text));
    await expect(take(virtualMachine())).rejects.toMatchObject({
      code: 'HOLDFAST_CORRUPT',
      details: { where: 'lock-000001/holder.json' },
    });
  });

  test('refuses a lock without a holder', async () => {
    await disk.makeDirectory('/store/lock-000001');
    await expect(take(virtualMachine())).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
  });

  test('says when such a lock may be removed', async () => {
    disk.put('/store/lock-000007/holder.json', Buffer.from('x'));
    await expect(take(virtualMachine())).rejects.toThrow('If no process has the store open, remove lock-000007.');
  });

  test('takes what an earlier version has released: an empty file beside the name', async () => {
    const start = virtualHost();
    await take(start());
    disk.put('/store/lock-000001/released', Buffer.alloc(0));
    await take(start());
    expect(await disk.list('/store')).toEqual(['lock-000002']);
  });

  test('names who has the lock, and not the one before, whose lock is just being cleared away', async () => {
    const start = virtualHost();
    const [before, holder] = [start(), start()];
    await (await take(before)).release();
    disk.put('/store/lock-000001/holder.json', await disk.readAll('/store/lock-000001/released'));
    let isCleared = false;
    const late = changedFiles(disk, {
      // Another takes the next lock, and has cleared half of the first one away, when it is looked at.
      readAll: async (path) => {
        if (!isCleared && path.includes('lock-000001')) {
          isCleared = true;
          const slow = changedFiles(disk, {
            remove: async (each) => (each.endsWith('/released') ? disk.remove(each) : undefined),
            removeDirectory: async () => {},
          });
          await take(holder, slow);
        }
        return disk.readAll(path);
      },
    });
    await expect(take(start(), late)).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_LOCKED',
      details: { pid: holder.self().pid },
    });
  });

  test('leaves nothing behind when there is no space for it', async () => {
    const full = changedFiles(disk, {
      open: async (path, how) => {
        if (how === 'create') throw systemError('ENOSPC', path);
        return disk.open(path, how);
      },
    });
    await expect(take(virtualMachine(), full)).rejects.toMatchObject({ code: 'ENOSPC' });
    expect(await disk.list('/store')).toEqual([]);
  });

  test('leaves what another process may just be writing', async () => {
    await disk.makeDirectory('/store/lock-0123456789abcdef.tmp');
    await take(virtualMachine());
    expect((await disk.list('/store')).toSorted()).toEqual(['lock-000001', 'lock-0123456789abcdef.tmp']);
  });

  test('passes over an old lock with something else in it, and leaves that', async () => {
    await (await take(virtualMachine())).release();
    disk.put('/store/lock-000001/.DS_Store', Buffer.alloc(1));
    for (let round = 0; round < 2; round += 1) await (await take(virtualMachine())).release();
    expect((await disk.list('/store')).toSorted()).toEqual(['lock-000001', 'lock-000003']);
    expect(await disk.list('/store/lock-000001')).toEqual(['.DS_Store']);
  });

  test('passes on what the disk says', async () => {
    await take(virtualMachine());
    await expect(take(virtualMachine(), changedFiles(disk, { readAll: fails }))).rejects.toMatchObject({ code: 'EIO' });
    await expect(take(virtualMachine(), changedFiles(disk, { syncDirectory: fails }))).rejects.toMatchObject({
      code: 'EIO',
    });
    await expect(take(virtualMachine(), changedFiles(disk, { removeDirectory: fails }))).rejects.toMatchObject({
      code: 'EIO',
    });
  });
});

function booted(boot: string | null, bootedAt?: number): Machine {
  return { self: () => ({ ...virtualMachine().self(), boot, bootedAt }), mayLive: () => false };
}

describe('isFirstSinceBoot', () => {
  test('is true only when the one before is known to have been there before the machine was started', async () => {
    expect((await take(booted('first'))).isFirstSinceBoot).toBe(false);
    expect((await take(booted('second'))).isFirstSinceBoot).toBe(true);
    expect((await take(booted('second'))).isFirstSinceBoot).toBe(false);
    expect((await take(booted(null))).isFirstSinceBoot).toBe(false);
    expect((await take(booted('third'))).isFirstSinceBoot).toBe(false);
  });

  test('is false in a container with a boot id of its own', async () => {
    await take(booted('of the host', 1_790_000_000));
    expect((await take(booted('of the container', 1_790_000_001))).isFirstSinceBoot).toBe(false);
    expect((await take(booted('of the host', 1_790_000_500))).isFirstSinceBoot).toBe(true);
  });
});

describe('release()', () => {
  test('releases also when the disk fails, for this process', async () => {
    const machine = virtualMachine();
    let isFailing = false;
    const failing = changedFiles(disk, {
      rename: async (from, to) => {
        if (isFailing) throw systemError('EIO', from);
        await disk.rename(from, to);
      },
    });
    const lock = await take(machine, failing);
    isFailing = true;
    await expect(lock.release()).rejects.toMatchObject({ code: 'EIO' });
    await take(machine);
    expect(await disk.list('/store')).toEqual(['lock-000002']);
  });

  test('needs no space, and leaves the name of who held it', async () => {
    const machine = virtualMachine();
    let isFull = false;
    const full = changedFiles(disk, {
      open: async (path, how) => {
        if (isFull && how === 'create') throw systemError('ENOSPC', path);
        return disk.open(path, how);
      },
    });
    const lock = await take(machine, full);
    isFull = true;
    await lock.release();
    expect(await disk.list('/store/lock-000001')).toEqual(['released']);
    expect(Buffer.from(await disk.readAll('/store/lock-000001/released')).toString()).toContain(
      `"pid":${machine.self().pid},`,
    );
  });

  test('leaves a lock that is another one, since somebody removed its own', async () => {
    const start = virtualHost();
    const removed = await take(start());
    await disk.remove('/store/lock-000001/holder.json');
    await disk.removeDirectory('/store/lock-000001');
    await removed.release();
    const second = start();
    await take(second);
    await removed.release();
    await expect(take(start())).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_LOCKED',
      details: { pid: second.self().pid },
    });
  });
});
