import type { Machine } from '../../store/file/lock/machine.ts';

/** A process of a virtual machine. */
export interface VirtualProcess extends Machine {
  /** Ends, and is followed by the next one. */
  die(): void;
}

let pids = 0;
let hosts = 0;

/** Processes of one machine, which see each other live and die. No two machines have a process in common. */
export function virtualHost(): () => VirtualProcess {
  hosts += 1;
  const boot = `boot ${hosts}`;
  const living = new Set<number>();
  return () => {
    let pid = 0;
    const begin = (): void => {
      pids += 1;
      pid = pids;
      living.add(pid);
    };
    begin();
    return {
      self: () => ({ pid, started: String(pid), boot, space: null, host: 'host' }),
      mayLive: (process) => living.has(process.pid),
      die: () => {
        living.delete(pid);
        begin();
      },
    };
  };
}

/** A machine with one process. What processes of other machines leave is dead for it. */
export function virtualMachine(): VirtualProcess {
  return virtualHost()();
}
