import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { machineReading, nodeMachine } from './machine.ts';

const self = nodeMachine.self();

/** Reads as if the first thread of every process had ended, and so many were left with it. */
function endedWith(threads: number): (path: string) => string {
  return (path) => {
    const text = readFileSync(path, 'latin1');
    if (!/^\/proc\/\d+\/stat$/.test(path)) return text;
    const from = text.lastIndexOf(')') + 2;
    const fields = text.slice(from).split(' ');
    return text.slice(0, from) + fields.with(0, 'Z').with(17, String(threads)).join(' ');
  };
}

describe('mayLive()', () => {
  test('is true of this process', () => {
    expect(self.pid).toBe(process.pid);
    expect(nodeMachine.mayLive(self)).toBe(true);
    expect(nodeMachine.mayLive({ ...self, started: null })).toBe(true);
  });

  test('is false of a process that has ended', () => {
    const { pid } = spawnSync(process.execPath, ['-e', '']);
    expect(nodeMachine.mayLive({ ...self, pid })).toBe(false);
    expect(nodeMachine.mayLive({ ...self, pid, started: null })).toBe(false);
  });

  test('is true of a process that stands still', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(child, 'spawn');
    try {
      child.kill('SIGSTOP');
      expect(nodeMachine.mayLive({ ...self, pid: child.pid as number, started: null })).toBe(true);
    } finally {
      child.kill('SIGKILL');
    }
  });

  test('is true of what cannot be seen from here: another host, another space of pids', () => {
    expect(nodeMachine.mayLive({ ...self, host: 'elsewhere', boot: 'other', pid: 1 })).toBe(true);
    expect(nodeMachine.mayLive({ ...self, space: 'pid:[1]', pid: 999_999_999 })).toBe(true);
  });

  test('is false after another boot, where boots can be told apart', () => {
    const bootedAt = (self.bootedAt ?? 0) - 100;
    expect(nodeMachine.mayLive({ ...self, boot: 'another boot', bootedAt })).toBe(self.boot === null);
    expect(nodeMachine.mayLive({ ...self, boot: null })).toBe(true);
  });

  test('is false after another boot of which a lock of an earlier version does not say when it was', () => {
    const earlier = { ...self, boot: 'another boot', bootedAt: undefined };
    expect(nodeMachine.mayLive(earlier)).toBe(self.boot === null);
  });

  test('is true of a container that has a boot id of its own, and the host name of this one', () => {
    const container = machineReading((path) => {
      if (path === '/proc/sys/kernel/random/boot_id') return 'its own\n';
      return path === '/proc/stat' ? 'cpu 1 2 3\nbtime 1790000000\nprocesses 5\n' : readFileSync(path, 'latin1');
    });
    const other = { ...container.self(), boot: 'of the host', bootedAt: 1_790_000_001, space: 'pid:[1]', pid: 999_999 };
    expect(container.self()).toMatchObject({ boot: 'its own', bootedAt: 1_790_000_000 });
    expect(container.mayLive(other)).toBe(true);
    expect(container.mayLive({ ...other, bootedAt: 1_790_000_003 })).toBe(false);
    expect(container.mayLive({ ...other, bootedAt: null })).toBe(false);
  });

  test.runIf(existsSync('/proc/self/stat'))('is false of another process with the same number', () => {
    expect(nodeMachine.mayLive({ ...self, started: '1' })).toBe(false);
  });

  test('is true of a living process whose start cannot be read at the moment', async () => {
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(child, 'spawn');
    const pid = child.pid as number;
    const short = machineReading((path) => {
      if (path === `/proc/${pid}/stat`) throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' });
      return readFileSync(path, 'latin1');
    });
    expect(short.mayLive({ ...self, pid })).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(short.mayLive({ ...self, pid })).toBe(false);
  });

  test.runIf(existsSync('/proc/self/stat'))('is false of a process that nobody has asked about since it ended', () => {
    const zombie = machineReading(endedWith(1));
    expect(zombie.mayLive(self)).toBe(false);
    expect(zombie.mayLive({ ...self, started: null })).toBe(false);
  });

  test.runIf(existsSync('/proc/self/stat'))('is true of a killed process while threads of it are in a call', () => {
    const dying = machineReading(endedWith(3));
    expect(dying.mayLive(self)).toBe(true);
    expect(dying.mayLive({ ...self, started: null })).toBe(true);
  });

  test('takes a process that it may not signal for a living one', () => {
    expect(nodeMachine.mayLive({ ...self, pid: 1, started: null })).toBe(true);
  });
});
