import type { Machine } from '../../env/machine.ts';

/** A process of a virtual machine. */
export interface VirtualProcess extends Machine {
  /** Ends, and is followed by the next one. */
  die(): void;
}

let pids = 0;
let starts = 0;
let hosts = 0;

interface HostOptions {
  /** Whether its processes can be told apart for certain; default false, as on a system that does not say enough. */
  readonly isCertain?: boolean | undefined;
}

/** Processes of one machine, which see each other live and die. No two machines have a process in common. */
export function virtualHost({ isCertain = false }: HostOptions = {}): () => VirtualProcess {
  hosts += 1;
  const boot = `boot ${hosts}`;
  const space = isCertain ? `space ${hosts}` : null;
  const living = new Set<string>();
  return () => {
    pids += 1;
    const pid = pids;
    let started = '';
    const begin = (): void => {
      starts += 1;
      started = String(starts);
      living.add(started);
    };
    begin();
    return {
      self: () => ({ pid, started, boot, space, host: 'host' }),
      mayLive: (process) => living.has(process.started ?? ''),
      // The next process gets the number of this one.
      die: () => {
        living.delete(started);
        begin();
      },
    };
  };
}

/** A machine with one process. What processes of other machines leave is dead for it. */
export function virtualMachine(options: HostOptions = {}): VirtualProcess {
  return virtualHost(options)();
}
