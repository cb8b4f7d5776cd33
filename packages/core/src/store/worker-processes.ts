import type { Machine, ProcessName } from '../env/machine.ts';
import { shortHash } from '../value/hash/short-hash.ts';

/**
 * The processes behind workers. A lease names its worker's process, so that other workers can ask the operating system
 * whether it has died and need not wait for the lease to end. Dead is only what is certain. What cannot be seen from here
 * (another host, another container, a system that does not tell) is not, and its lease decides.
 */
export class WorkerProcesses {
  readonly #machine: Machine;
  #here: { readonly self: ProcessName; readonly place: string; readonly name: string } | undefined;

  constructor(machine: Machine) {
    this.#machine = machine;
    this.#look();
  }

  /** The name of this process; null if the system does not tell it apart from every other for certain. */
  get own(): string | null {
    return this.#here?.name ?? null;
  }

  /** Whether the process with this name has certainly died. */
  isDead(name: string | null | undefined): boolean {
    const here = this.#here;
    if (here === undefined || name === null || name === undefined || name === here.name) return false;
    const [pid, started = '', place] = name.split(' ');
    return place === here.place && !this.#machine.mayLive({ ...here.self, pid: Number(pid), started });
  }

  #look(): void {
    const self = this.#machine.self();
    const { pid, started, boot, space, host } = self;
    if (started === null || boot === null || space === null) return;
    const place = shortHash(JSON.stringify([host, boot, space]));
    this.#here = { self, place, name: `${pid} ${started} ${place}` };
  }
}
