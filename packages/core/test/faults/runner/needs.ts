import { existsSync, readFileSync } from 'node:fs';
import type { HarnessName } from '../mutant/mutant.ts';
import { shutdownPrograms } from '../power/shutdown-helper.ts';
import { firstProgram, isProgram } from './program.ts';

/** What each harness lacks on this machine; empty where it can run. */
export function missingFor(harness: HarnessName): readonly string[] {
  const needs = [...(table[harness] ?? [])];
  return needs.flatMap(({ what, isThere }) => (isThere() ? [] : [what]));
}

interface Need {
  /** What it is, and where it comes from. */
  readonly what: string;
  readonly isThere: () => boolean;
}

const linux: Need = { what: 'Linux', isThere: () => process.platform === 'linux' };
const root: Need = { what: 'root', isThere: () => process.getuid?.() === 0 };
const loop: Need = { what: 'loop devices (/dev/loop-control)', isThere: () => existsSync('/dev/loop-control') };
const ext4: Need = { what: 'ext4 (in /proc/filesystems)', isThere: () => filesystems().includes('ext4') };
const ioctl: Need = {
  what: `a program that has ioctl (${shutdownPrograms.join(' or ')})`,
  isThere: () => firstProgram(shutdownPrograms) !== undefined,
};

const table: Readonly<Record<HarnessName, readonly Need[]>> = {
  kill: [],
  'full-disk': [linux, root, program('mount', 'mount')],
  processes: [],
  disk: [],
  damage: [],
  syscall: [linux, program('strace', 'strace')],
  power: [
    linux,
    root,
    loop,
    ext4,
    program('mkfs.ext4', 'e2fsprogs'),
    program('losetup', 'mount'),
    program('mount', 'mount'),
    ioctl,
  ],
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
