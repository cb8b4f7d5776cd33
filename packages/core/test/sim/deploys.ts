import type { SimProcess } from './sim-process.ts';
import { upgradedNew, upgradedOld } from './upgraded.ts';
import { type CodeOfWorkers, codeThatStays } from './workloads.ts';
import type { World } from './world.ts';

/** What a process has been built from. `both`: the new version next to the old one. */
export type Build = 'old' | 'new' | 'both';

const changing: Readonly<Record<Build, CodeOfWorkers>> = {
  old: [upgradedOld],
  new: [upgradedNew],
  both: [upgradedOld, upgradedNew],
};

/** The graphs of a process. */
export function codeOf(build: Build): CodeOfWorkers {
  return [...codeThatStays, ...changing[build]];
}

interface DeploysOptions {
  readonly world: World;
  /** Whether there is a run whose code changes. */
  readonly isWanted: boolean;
  readonly calmAtMs: number;
}

/**
 * When which code is deployed: at first the old one; then either the new one alone or both, as each process happens to be
 * built; and both once the faults are over, because the old code has to finish what it has begun.
 */
export class Deploys {
  /** When processes with other code are started. */
  readonly times: readonly number[];
  readonly #world: World;
  readonly #builds = new Map<SimProcess, Build>();

  constructor({ world, isWanted, calmAtMs }: DeploysOptions) {
    this.#world = world;
    this.times = isWanted ? [world.random() * 900, calmAtMs] : [];
  }

  /** A process is started. */
  start(process: SimProcess): void {
    const period = this.#period();
    this.#builds.set(process, period === 0 ? 'old' : period === 1 ? this.#world.pick(['new', 'both']) : 'both');
  }

  codeOf(process: SimProcess): CodeOfWorkers {
    return codeOf(this.#builds.get(process) ?? 'both');
  }

  /** Whether a process is to be replaced. */
  isOutdated(process: SimProcess): boolean {
    const build = this.#builds.get(process);
    return (this.#period() > 0 && build === 'old') || (this.#period() > 1 && build === 'new');
  }

  /** Whether a process is replaced now: once, however long it takes to end. */
  replaces(process: SimProcess): boolean {
    if (!this.isOutdated(process)) return false;
    this.#builds.delete(process);
    return true;
  }

  #period(): number {
    return this.times.filter((atMs) => this.#world.nowMs >= atMs).length;
  }
}
