import { join } from 'node:path';
import type { Engine } from '../../../src/engine/engine.ts';
import { openEngine } from '../../../src/engine/open.ts';
import { postgresStoreAt } from '../../../src/store/postgres/url.ts';
import type { Evidence, Excuse, RunEnd, StoredRows } from '../judge/evidence.ts';
import { fleetGraph } from '../worker/fleet-graph.ts';
import type { Line } from '../worker/line.ts';
import { WorkerProcess } from '../worker/worker-process.ts';
import { Ledger } from './ledger.ts';

/** How a fleet is made. */
export interface FleetOptions {
  readonly schema: string;
  readonly processes: number;
  /** In each process. */
  readonly workers: number;
  readonly leaseMs: number;
  /** Whether a lease may end by itself: a short one on a busy machine. */
  readonly mayExpire: boolean;
  /** Super-steps of a run. */
  readonly length: number;
  /** So many runs are unfinished while things are broken. */
  readonly crowd: number;
  readonly mutant?: string | undefined;
}

/** The servers that a fleet works on. */
export interface FleetServers {
  /** What is written down is kept there. */
  readonly folder: string;
  /** The store's address for workers, whichever server is the primary. */
  url(schema: string): string;
  readonly primary: { sql<T extends object>(text: string, values?: readonly unknown[]): Promise<readonly T[]> };
}

const pauseMs = 200;
/** Ends what hangs, and nothing else: so many pauses. */
const stillAfter = 3_000;

/** Milliseconds on the clock that the workers write down. */
export function machineMs(): number {
  return Number(process.hrtime.bigint() / 1_000n) / 1_000;
}

export function pause(ms = pauseMs): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}

/** Workers in several processes, and the runs that keep them busy. */
export class Fleet {
  readonly cluster: FleetServers;
  readonly options: FleetOptions;
  readonly excuses: Excuse[] = [];
  processes: WorkerProcess[] = [];
  readonly #graph = fleetGraph(async () => undefined);
  readonly #engine: Engine;
  readonly #ledgers: Ledger[] = [];
  #bodies = 0;
  /** The super-step that began last. */
  #last: Line | undefined;
  #lives = 0;
  #runs = 0;
  #isFull = true;
  #isOver = false;
  #filling: Promise<void> = Promise.resolve();

  private constructor(cluster: FleetServers, options: FleetOptions, engine: Engine) {
    this.cluster = cluster;
    this.options = options;
    this.#engine = engine;
  }

  static async start(cluster: FleetServers, options: FleetOptions): Promise<Fleet> {
    const store = postgresStoreAt(cluster.url(options.schema));
    // It submits in bad times too: whatever it submits has an id, so that it can be repeated.
    const engine = await openEngine(store, { executes: false, lease: '60s', log: 'silent' });
    const fleet = new Fleet(cluster, options, engine);
    await Promise.all(Array.from({ length: options.processes }, () => fleet.addProcess()));
    fleet.#filling = fleet.#fill();
    return fleet;
  }

  async addProcess(): Promise<void> {
    const { schema, workers, leaseMs, mutant } = this.options;
    const life = this.#lives;
    this.#lives += 1;
    const url = this.cluster.url(schema);
    const ledger = join(this.cluster.folder, `${schema}-${life}.jsonl`);
    this.#ledgers.push(new Ledger(ledger));
    this.processes.push(await WorkerProcess.start({ url, ledger, life, workers, leaseMs, mutant }));
  }

  /** What all lives have written down. */
  lines(): readonly Line[] {
    this.#readBodies();
    return this.#ledgers.flatMap(({ lines }) => lines);
  }

  /** Waits until this many more super-steps were executed. Gives the process that executed the last one. */
  async progress(count: number): Promise<WorkerProcess> {
    this.#readBodies();
    const before = this.#bodies;
    for (let waited = 0; ; waited += 1) {
      const last = this.processes.find(({ life }) => life === this.#last?.life);
      if (this.#bodies - before >= count && last !== undefined) return last;
      if (waited > stillAfter)
        throw new Error(`The fleet stands still after ${this.#bodies - before} of ${count} super-steps.`);
      await pause();
      this.#readBodies();
    }
  }

  /** The longest time since then in which no commit of the whole fleet was acknowledged. */
  longestSilence(from: number): number {
    const times = this.lines().flatMap(({ what, at }) => (what === 'ack' && at > from ? [at] : []));
    const sorted = [from, ...times.toSorted((a, b) => a - b)];
    return Math.max(...sorted.map((at, index) => at - (sorted[index - 1] ?? at)));
  }

  #readBodies(): void {
    for (const ledger of this.#ledgers) {
      for (const line of ledger.read()) {
        if (line.what !== 'body') continue;
        this.#bodies += 1;
        if (this.#last === undefined || line.at > this.#last.at) this.#last = line;
      }
    }
  }

  /** A run that a broken store has left behind is not found later, either. */
  get #patienceMs(): number {
    return this.options.mutant === undefined ? 600_000 : 30_000;
  }

  /** Adds no more runs, and lets all come to their end. False if some did not in this time. */
  async settle(patienceMs = this.#patienceMs): Promise<boolean> {
    this.#isFull = false;
    await this.#filling;
    const until = performance.now() + patienceMs;
    while (performance.now() < until) {
      if ((await this.#unfinished()) === 0) return true;
      await pause();
    }
    return false;
  }

  /** Lets all runs come to their end, ends the workers, and collects the evidence. */
  async finish(patienceMs?: number): Promise<Evidence> {
    await this.settle(patienceMs);
    const ends = await this.#ends();
    await Promise.all(this.processes.map((each) => each.end('SIGTERM')));
    await this.#engine.close();
    return {
      lines: this.lines(),
      rows: await this.#rows(),
      ends,
      excuses: this.excuses,
      mayExpire: this.options.mayExpire,
    };
  }

  /** Ends everything, and asks nothing. */
  async abandon(): Promise<void> {
    this.#isFull = false;
    this.#isOver = true;
    await Promise.all(this.processes.map((each) => each.end('SIGKILL')));
    await this.#filling.catch(() => undefined);
    await this.#engine.close().catch(() => undefined);
  }

  async #fill(): Promise<void> {
    while (this.#isFull) {
      const missing = this.options.crowd - (await this.#unfinished().catch(() => this.options.crowd));
      for (let at = 0; at < missing && this.#isFull; at += 1) await this.submit();
      await pause();
    }
  }

  /** Adds one run, however often that fails at first. */
  async submit(): Promise<void> {
    const id = `run-${this.#runs}`;
    this.#runs += 1;
    const input = { id, length: this.options.length, n: 0, seen: [] };
    while (!this.#isOver) {
      const isThere = await this.#engine.submit(this.#graph, input, { id, maxSupersteps: 10_000 }).then(
        () => true,
        () => false,
      );
      if (isThere) return;
      await pause();
    }
  }

  /** Pending, running or waiting. */
  async #unfinished(): Promise<number> {
    const { schema } = this.options;
    const sql = `SELECT count(*)::int AS count FROM "${schema}".runs WHERE state IN (0, 1, 2)`;
    return (await this.cluster.primary.sql<{ count: number }>(sql))[0]?.count ?? 0;
  }

  async #ends(): Promise<readonly RunEnd[]> {
    const ends: RunEnd[] = [];
    for await (const { id, status } of this.#engine.runs({ graph: 'fleet' })) {
      ends.push({ run: id, status, length: this.options.length, seen: [], ...(await this.#end(id, status)) });
    }
    return ends;
  }

  /** What a broken store has made of a run may be unreadable. */
  async #end(id: string, status: string): Promise<Partial<RunEnd>> {
    try {
      const summary = await this.#engine.get(this.#graph, id).summary();
      if (status !== 'completed') return { status: `${status} at ${JSON.stringify(summary)}` };
      const { state } = await this.#engine.get(this.#graph, id).outcome();
      return { seen: state.seen };
    } catch (error) {
      return { status: String(error) };
    }
  }

  async #rows(): Promise<readonly StoredRows[]> {
    const { schema } = this.options;
    return this.cluster.primary.sql<StoredRows>(
      `SELECT r.run, json_agg(json_build_object('seq', w.seq, 'token', w.token) ORDER BY w.seq) AS commits
        FROM "${schema}".runs r JOIN "${schema}".rows w ON w.key = r.key GROUP BY r.run`,
    );
  }
}
