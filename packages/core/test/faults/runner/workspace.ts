import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { onEnd } from './clean-up.ts';
import { lastCommand } from './command.ts';

const prefix = 'holdfast-faults-';

/** Directories for stores: on the disk, and in memory where the system has such a place. */
export function storePlaces(): { readonly disk: string; readonly memory: string } {
  const mounts = process.platform === 'linux' ? readFileSync('/proc/mounts', 'utf8') : '';
  return { disk: tmpdir(), memory: / \/dev\/shm tmpfs /.test(mounts) ? '/dev/shm' : tmpdir() };
}

/** A directory that is gone when the process ends, and whatever is mounted in it too. */
export function newWorkspace(under: string): string {
  sweep(under);
  const directory = mkdtempSync(join(under, `${prefix}${process.pid}-`));
  onEnd(() => clearWorkspace(directory));
  return directory;
}

/** Clears away what processes left that were killed before they could. */
function sweep(under: string): void {
  for (const name of readdirSync(under)) {
    const pid = name.startsWith(prefix) ? Number.parseInt(name.slice(prefix.length), 10) : Number.NaN;
    if (Number.isInteger(pid) && !isAlive(pid)) clearWorkspace(join(under, name));
  }
}

/** Takes away a directory, and what is mounted in it or on it. */
export function clearWorkspace(directory: string): void {
  if (process.platform === 'linux') {
    for (const line of readFileSync('/proc/mounts', 'utf8').split('\n')) {
      const [device = '', mountPoint = ''] = line.split(' ');
      if (mountPoint !== directory && !mountPoint.startsWith(`${directory}/`)) continue;
      lastCommand('umount', '--lazy', mountPoint);
      if (device.startsWith('/dev/loop')) lastCommand('losetup', '--detach', device);
    }
  }
  rmSync(directory, { recursive: true, force: true });
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}
