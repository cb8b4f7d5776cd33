import { existsSync, readFileSync } from 'node:fs';
import type { HarnessName } from '../mutant/mutant.ts';
import { shutdownPrograms } from '../power/shutdown-helper.ts';
import { loopRefused, mountRefused } from './probe-mount.ts';
import { firstProgram, isProgram } from './program.ts';

/** What each harness lacks on this machine; empty where it can run. */
export function missingFor(harness: HarnessName): readonly string[] {
  const { needs, probes = [] } = table[harness];
  const missing = needs.flatMap(({ what, isThere }) => (isThere() ? [] : [what]));
  return missing.length > 0 ? missing : probes.flatMap((probe) => probe() ?? []);
}

interface Need {
  /** What it is, and where it comes from. */
  readonly what: string;
  readonly isThere: () => boolean;
}

interface Needs {
  readonly needs: readonly Need[];
  /** Tries what a harness does, where all that it needs is there: root of a container may not do all that root may. */
  readonly probes?: readonly (() => string | undefined)[] | undefined;
}

const linux: Need = { what: 'Linux', isThere: () => process.platform === 'linux' };
const root: Need = { what: 'root', isThere: () => process.getuid?.() === 0 };
const loop: Need = { what: 'loop devices (/dev/loop-control)', isThere: () => existsSync('/dev/loop-control') };
const ext4: Need = { what: 'ext4 (in /proc/filesystems)', isThere: () => filesystems().includes('ext4') };
const ioctl: Need = {
  what: `a program that has ioctl (${shutdownPrograms.join(' or ')})`,
  isThere: () => firstProgram(shutdownPrograms) !== undefined,
};

const nothing: Needs = { needs: [] };

const table: Readonly<Record<HarnessName, Needs>> = {
  kill: nothing,
  processes: nothing,
  disk: nothing,
  corruption: nothing,
  syscall: { needs: [linux, program('strace', 'strace')] },
  'full-disk': {
    needs: [linux, root, program('mount', 'mount'), program('umount', 'mount')],
    probes: [mountRefused],
  },
  power: {
    needs: [
      linux,
      root,
      loop,
      ext4,
      program('mkfs.ext4', 'e2fsprogs'),
      program('losetup', 'mount'),
      program('mount', 'mount'),
      program('umount', 'mount'),
      program('sync', 'coreutils'),
      ioctl,
    ],
    probes: [mountRefused, loopRefused],
  },
};

function program(name: string, from: string): Need {
  return { what: `${name} (package ${from})`, isThere: () => isProgram(name) };
}

function filesystems(): string {
  try {
    return readFileSync('/proc/filesystems', 'utf8');
  } catch {
    return '';
  }
}
