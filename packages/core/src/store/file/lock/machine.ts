import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import process from 'node:process';

/** Which process it is, so that nobody takes another one that got the same number for it. */
export interface ProcessName {
  readonly pid: number;
  /** When it was started, in the system's own count since the boot; null where that cannot be read. */
  readonly started: string | null;
  /** Which boot of the machine; null where that cannot be read. */
  readonly boot: string | null;
  /** When the machine was started, in seconds; null where that cannot be read. Locks of earlier versions do not say. */
  readonly bootedAt?: number | null | undefined;
  /** In which space the pid is to be understood: a container has one of its own; null where that cannot be read. */
  readonly space: string | null;
  readonly host: string;
}

/** The machine that the store is opened on, as far as its lock has to know. */
export interface Machine {
  self(): ProcessName;
  /** Whether the process lives, or may live. One that cannot be seen from here may. */
  mayLive(process: ProcessName): boolean;
}

/** The machine that Node runs on. */
export const nodeMachine: Machine = machineReading((path) => readFileSync(path, 'latin1'));

/** The machine that Node runs on, with its own files read that way. */
export function machineReading(read: (path: string) => string): Machine {
  const self = (): ProcessName => ({
    pid: process.pid,
    started: startOf(process.pid, read),
    boot: attempt(() => read('/proc/sys/kernel/random/boot_id')),
    bootedAt: bootTime(read),
    space: attempt(() => readlinkSync('/proc/self/ns/pid')),
    host: hostname(),
  });
  return {
    self,
    mayLive: (other) => {
      const here = self();
      if (other.host !== here.host) return true;
      if (isOtherBoot(other, here)) return false;
      // Whether it was the same boot is not known where only one of them says which.
      if ((other.boot === null) !== (here.boot === null) || other.space !== here.space) return true;
      const started = startOf(other.pid, read);
      if (started === ended) return false;
      // A start that could not be read is no proof of a death: there may have been no descriptor left to read it with.
      return other.started === null || started === null ? answers(other.pid) : started === other.started;
    },
  };
}

/** The clock that a boot is told by may be set meanwhile. */
const sameBootSeconds = 2;

/**
 * Whether the machine is known to have been started between the two. A container can have a boot id of its own: where the
 * machine was started at the same time, it is the same boot.
 */
export function isOtherBoot(one: ProcessName, other: ProcessName): boolean {
  if (one.boot === null || other.boot === null || one.boot === other.boot) return false;
  if (typeof one.bootedAt !== 'number' || typeof other.bootedAt !== 'number') return true;
  return Math.abs(one.bootedAt - other.bootedAt) > sameBootSeconds;
}

function bootTime(read: (path: string) => string): number | null {
  const found = /^btime (\d+)$/m.exec(attempt(() => read('/proc/stat')) ?? '');
  return found === null ? null : Number(found[1]);
}

/** The start of a process that is not gone only because its parent has not asked: it has done its last write. */
const ended = 'ended';

/** The 22nd field; the second one is a name in parentheses that may hold anything. */
function startOf(pid: number, read: (path: string) => string): string | null {
  const stat = attempt(() => read(`/proc/${pid}/stat`));
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  // The state is that of the first thread: others of a killed process may still be in a call that changes a file.
  const isOver = (fields?.[0] === 'Z' || fields?.[0] === 'X') && Number(fields[17]) <= 1;
  return isOver ? ended : (fields?.[19] ?? null);
}

/** Null where there is no such thing: not every system has these files. */
function attempt(read: () => string): string | null {
  try {
    return read().trim();
  } catch {
    return null;
  }
}

function answers(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH';
  }
}
