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
export const nodeMachine: Machine = {
  self: () => ({
    pid: process.pid,
    started: startOf(process.pid),
    boot: attempt(() => readFileSync('/proc/sys/kernel/random/boot_id', 'latin1')),
    space: attempt(() => readlinkSync('/proc/self/ns/pid')),
    host: hostname(),
  }),
  mayLive: (other) => {
    const self = nodeMachine.self();
    if (other.host !== self.host) return true;
    if (other.boot !== self.boot) return other.boot === null || self.boot === null;
    if (other.space !== self.space) return true;
    return other.started === null || self.started === null ? answers(other.pid) : startOf(other.pid) === other.started;
  },
};

/** The 22nd field; the second one is a name in parentheses that may hold anything. */
function startOf(pid: number): string | null {
  const stat = attempt(() => readFileSync(`/proc/${pid}/stat`, 'latin1'));
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  // A zombie has done its last write.
  return fields?.[0] === 'Z' || fields?.[0] === 'X' ? null : (fields?.[19] ?? null);
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
