import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { describe, expect, test } from 'vitest';
import type { ProcessName } from '../env/machine.ts';
import { nodeMachine } from '../env/machine.ts';
import { virtualHost } from '../testing/file/virtual-machine.ts';
import { WorkerProcesses } from './worker-processes.ts';

const begin = virtualHost({ isCertain: true });
const watcher = new WorkerProcesses(begin());

/** The processes as one sees them that is like another, but for this. */
function differing(other: Partial<ProcessName>): WorkerProcesses {
  const machine = begin();
  return new WorkerProcesses({ self: () => ({ ...machine.self(), ...other }), mayLive: () => false });
}

describe('isDead()', () => {
  test('is false of itself and of a process that lives', () => {
    expect(watcher.isDead(watcher.own)).toBe(false);
    expect(watcher.isDead(new WorkerProcesses(begin()).own)).toBe(false);
  });

  test('is true of a process that has died, even if another one has its number now', () => {
    const machine = begin();
    const before = new WorkerProcesses(machine).own;
    machine.die();
    const after = new WorkerProcesses(machine).own;
    expect(before?.split(' ')[0]).toBe(after?.split(' ')[0]);
    expect([watcher.isDead(before), watcher.isDead(after)]).toEqual([true, false]);
  });

  test.each([{ host: 'elsewhere' }, { boot: 'another' }, { space: 'a container' }])(
    'is false of what cannot be seen from here: %o',
    (other) => {
      const machine = begin();
      const { own } = new WorkerProcesses(machine);
      machine.die();
      expect(differing(other).isDead(own)).toBe(false);
      expect(differing({}).isDead(own)).toBe(true);
    },
  );

  test.each([{ started: null }, { boot: null }, { space: null }])(
    'is false where the system does not tell enough: %o',
    (other) => {
      const machine = begin();
      const { own } = new WorkerProcesses(machine);
      machine.die();
      expect(differing(other).own).toBe(null);
      expect(differing(other).isDead(own)).toBe(false);
      expect(watcher.isDead(differing(other).own)).toBe(false);
      expect(watcher.isDead(undefined)).toBe(false);
    },
  );

  test.runIf(process.platform === 'linux')('asks the operating system', async () => {
    const here = new WorkerProcesses(nodeMachine);
    const child = spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)']);
    await once(child, 'spawn');
    const [, ...place] = String(here.own).split(' ');
    // Its number with another start: the process that had it before.
    expect(here.isDead([child.pid, ...place].join(' '))).toBe(true);
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(here.isDead([child.pid, ...place].join(' '))).toBe(true);
  });
});
