/** Who holds a run, and by which claim. */
interface Lease {
  readonly runId: string;
  readonly worker: string | null;
  readonly fence: number;
}

interface WorkWatchOptions {
  readonly leases: () => Iterable<Lease>;
  readonly tell: (violation: string) => void;
}

/** Watches over how many runs each process executes, and that none begins while it drains or stands by. */
export class WorkWatch {
  readonly #options: WorkWatchOptions;
  readonly #limits = new Map<string, number>();
  /** For each process that drains: the runs that it held when that began, by their fences. */
  readonly #drained = new Map<string, ReadonlyMap<string, number>>();
  /** For each process, how many steps of each run are in flight. */
  readonly #inFlight = new Map<string, Map<string, number>>();

  constructor(options: WorkWatchOptions) {
    this.#options = options;
  }

  /** A process begins to work. */
  begins(process: string, limit: number): void {
    this.#limits.set(process, limit);
    this.#drained.delete(process);
  }

  /** A process takes no more runs. */
  drains(process: string): void {
    const held = [...this.#options.leases()].filter(({ worker }) => worker === process);
    this.#drained.set(process, new Map(held.map(({ runId, fence }) => [runId, fence])));
  }

  /** The body of a node begins in a process that holds the run. */
  bodyBegins(process: string, { runId, fence }: Lease): void {
    const held = this.#drained.get(process);
    if (held !== undefined && held.get(runId) !== fence) this.#options.tell(`${process} drains, and begins ${runId}`);
  }

  /** A step begins in a process that holds the run. */
  stepBegins(process: string, runId: string): void {
    const runs = this.#inFlight.get(process) ?? new Map<string, number>();
    this.#inFlight.set(process, runs);
    runs.set(runId, (runs.get(runId) ?? 0) + 1);
    // The code of a run whose lease was lost may continue for a while.
    const own = [...this.#options.leases()].filter((lease) => lease.worker === process && runs.has(lease.runId));
    const limit = this.#limits.get(process) ?? Number.POSITIVE_INFINITY;
    if (own.length > limit) this.#options.tell(`${process} executes ${own.length} runs, and may execute ${limit}`);
  }

  stepEnds(process: string, runId: string): void {
    const runs = this.#inFlight.get(process);
    const left = (runs?.get(runId) ?? 0) - 1;
    if (left > 0) runs?.set(runId, left);
    else runs?.delete(runId);
  }
}
