import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import process from 'node:process';

/** Identifies a process even if another one got the same pid later. */
export interface ProcessName {
  readonly pid: number;
  /** When it started, in clock ticks since the boot; null where that cannot be read. */
  readonly started: string | null;
  /** Which boot of the machine; null where that cannot be read. */
  readonly boot: string | null;
  /** When the machine booted, in seconds; null or absent where that cannot be read. */
  readonly bootedAt?: number | null | undefined;
  /** The namespaces of pids and of start times: a container has its own; null where that cannot be read. */
  readonly space: string | null;
  readonly host: string;
}

/** Which processes of the machine live. */
export interface Machine {
  /** The name of this process. */
  self(): ProcessName;
  /** Whether the process may be alive. One that cannot be seen from here may be. */
  mayLive(process: ProcessName): boolean;
}

/** The machine that Node runs on. */
export const nodeMachine: Machine = machineReading((path) => readFileSync(path, 'latin1'));

/** The machine that Node runs on; its system files are read by `read`. */
export function machineReading(read: (path: string) => string): Machine {
  let known: ProcessName | undefined;
  const self = (): ProcessName => {
    if (known !== undefined) return known;
    const found: ProcessName = {
      pid: process.pid,
      started: startOf(process.pid, read),
      boot: attempt(() => read('/proc/sys/kernel/random/boot_id')),
      bootedAt: bootTime(read),
      space: spaceOf(),
      host: hostname(),
    };
    // What could not be read may be readable later: the process may be out of file descriptors.
    if (found.started !== null && found.boot !== null && found.space !== null) known = found;
    return found;
  };
  return {
    self,
    mayLive: (other) => {
      const here = self();
      if (other.host !== here.host) return true;
      if (isOtherBoot(other, here)) return false;
      // If only one of them names its boot, nobody knows whether it was the same.
      if ((other.boot === null) !== (here.boot === null) || other.space !== here.space) return true;
      const started = startOf(other.pid, read);
      if (started === ended) return false;
      // A start time that cannot be read proves nothing: the process may be out of file descriptors.
      return other.started === null || started === null ? answers(other.pid) : started === other.started;
    },
  };
}

/** The clock may have been adjusted meanwhile. */
const sameBootSeconds = 2;

/**
 * Whether the machine is known to have been restarted between the two. A container can have its own boot id: if the boot
 * times agree, it is the same boot.
 */
export function isOtherBoot(one: ProcessName, other: ProcessName): boolean {
  if (one.boot === null || other.boot === null || one.boot === other.boot) return false;
  if (typeof one.bootedAt !== 'number' || typeof other.bootedAt !== 'number') return true;
  return Math.abs(one.bootedAt - other.bootedAt) > sameBootSeconds;
}

/** Start times are counted by the time namespace, which old systems do not have. */
function spaceOf(): string | null {
  const pids = attempt(() => readlinkSync('/proc/self/ns/pid'));
  const times = attempt(() => readlinkSync('/proc/self/ns/time'));
  return pids === null || times === null ? pids : `${pids} ${times}`;
}

function bootTime(read: (path: string) => string): number | null {
  const found = /^btime (\d+)$/m.exec(attempt(() => read('/proc/stat')) ?? '');
  return found === null ? null : Number(found[1]);
}

/** The start time given for a zombie: it has made its last write. */
const ended = 'ended';

/** The 22nd field. The second is a name in parentheses that may contain anything. */
function startOf(pid: number, read: (path: string) => string): string | null {
  const stat = attempt(() => read(`/proc/${pid}/stat`));
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  // This is the state of the first thread. Other threads of a killed process may still be changing a file.
  const isOver = (fields?.[0] === 'Z' || fields?.[0] === 'X') && Number(fields[17]) <= 1;
  return isOver ? ended : (fields?.[19] ?? null);
}

/** Null where it does not exist: not every system has these files. */
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
