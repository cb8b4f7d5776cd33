import type { Machine, ProcessName } from '../../src/env/machine.ts';

/** A process as the table needs to know it. */
interface Listed {
  readonly isDead: boolean;
  readonly pausedUntilMs: number;
}

interface Entry {
  readonly process: Listed;
  readonly name: ProcessName;
}

interface TableOptions {
  /** Whether processes can see each other; otherwise only leases tell who lives. */
  readonly isVisible: boolean;
  readonly clock: { readonly nowMs: number };
}

/** So few numbers that they are soon used again. */
const pids = 3;

/**
 * The processes of a simulated machine, as an operating system shows them: numbers are used again, and every third process
 * is in a container, where it sees only itself and is not seen by others.
 */
export class ProcessTable {
  /** How a mutant looks at processes; a healthy world does not have it. */
  mistake: 'paused is dead' | 'hidden is dead' | undefined;
  readonly #options: TableOptions;
  readonly #entries: Entry[] = [];

  constructor(options: TableOptions) {
    this.#options = options;
  }

  get isVisible(): boolean {
    return this.#options.isVisible;
  }

  /** A process begins; gives the machine as it sees it. */
  begin(process: Listed): Machine {
    const count = this.#entries.length;
    const isHidden = count % 3 === 2 && this.mistake !== 'hidden is dead';
    const space = this.#options.isVisible ? (isHidden ? `container ${count}` : 'host') : null;
    const name = { pid: count % pids, started: String(count), boot: 'boot', space, host: 'host' };
    this.#entries.push({ process, name });
    return { self: () => name, mayLive: (other) => this.#mayLive(other) };
  }

  #mayLive({ pid, started }: ProcessName): boolean {
    const found = this.#entries.find(({ name }) => name.pid === pid && name.started === started);
    if (found === undefined || found.process.isDead) return false;
    if (this.mistake === 'paused is dead') return found.process.pausedUntilMs <= this.#options.clock.nowMs;
    return !(this.mistake === 'hidden is dead' && Number(started) % 3 === 2);
  }
}
