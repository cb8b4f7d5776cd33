import { HoldfastError } from '../../errors/holdfast-error.ts';
import type { ClaimRequest, ClaimResult, RunHeader } from '../contract.ts';
import type { Connection } from './connection.ts';
import { dueRuns } from './due-runs.ts';
import type { LeaseTable } from './lease-table.ts';
import { type HeadRow, headerOf, type KnownRun, type RunRow } from './run-row.ts';
import { isHidden } from './run-state.ts';
import type { Tables } from './tables.ts';

interface ClaimerOptions {
  readonly connection: Connection;
  readonly tables: Tables;
  readonly leases: LeaseTable;
  /** The wall clock: wake times are times of day. */
  readonly now: () => number;
  readonly warn: (message: string) => void;
}

/** Leases: who lives, who holds what, and which runs are free to take. */
export class RunClaimer {
  readonly #connection: Connection;
  readonly #tables: Tables;
  readonly #leases: LeaseTable;
  readonly #now: () => number;
  readonly #warn: (message: string) => void;
  /** The corrupt runs that somebody was told of. */
  readonly #told = new Set<number>();

  constructor({ connection, tables, leases, now, warn }: ClaimerOptions) {
    this.#connection = connection;
    this.#tables = tables;
    this.#leases = leases;
    this.#now = now;
    this.#warn = warn;
  }

  async claim(request: ClaimRequest): Promise<ClaimResult> {
    if (request.type === 'due' || request.type === 'one') {
      // Most requests find nothing: they take no lock and wait for nobody.
      const { alive, keys } = await this.#connection.read(() => this.#free(request));
      if (keys.length === 0) return { claimed: [], alive };
    }
    return this.#connection.write(() => this.#answer(request));
  }

  #answer(request: ClaimRequest): ClaimResult {
    switch (request.type) {
      case 'heartbeat': {
        const alive = this.#leases.living().has(request.worker);
        this.#leases.beat(request.worker, request.leaseMs);
        return { claimed: [], alive };
      }
      case 'release': {
        const alive = this.#leases.living().has(request.worker);
        this.#release(request);
        return { claimed: [], alive };
      }
      case 'one': {
        const { alive, keys } = this.#free(request);
        return { claimed: keys.map((key) => this.#take(key, request.worker)), alive };
      }
      case 'due':
        return this.#takeDue(request);
    }
  }

  /** A corrupt run is passed over, or none behind it would ever be taken. */
  #takeDue(request: ClaimRequest & { readonly type: 'due' }): ClaimResult {
    const claimed: RunHeader[] = [];
    const passed = new Set<number>();
    for (;;) {
      const limit = request.limit - claimed.length + passed.size;
      const { alive, keys } = this.#free({ ...request, limit });
      const fresh = keys.filter((key) => !passed.has(key));
      if (fresh.length === 0 || claimed.length === request.limit) return { claimed, alive };
      for (const key of fresh) {
        const header = this.#orTell(key, () => this.#take(key, request.worker));
        if (header === undefined) passed.add(key);
        else claimed.push(header);
      }
    }
  }

  /** The runs that the request would take. */
  #free(request: ClaimRequest & { readonly type: 'due' | 'one' }): {
    readonly alive: boolean;
    readonly keys: readonly number[];
  } {
    const living = this.#leases.living();
    if (!living.has(request.worker)) return { alive: false, keys: [] };
    if (request.type === 'due') {
      const { graphs, limit } = request;
      return { alive: true, keys: dueRuns(this.#connection, { graphs, limit, living, now: this.#now() }) };
    }
    const known = this.#tables.runs.find(request.runId);
    return { alive: true, keys: known !== undefined && isFree(known, living) ? [known.row.key] : [] };
  }

  #take(key: number, worker: string): RunHeader {
    const { row, head } = this.#tables.runs.at(key);
    const claimed = { ...head, fence: head.fence + 1, claims: head.claims + 1 };
    return headerOf(this.#hand({ row, head: claimed }, worker, head));
  }

  #release({ worker, runs }: ClaimRequest & { readonly type: 'release' }): void {
    if (runs === undefined) this.#leases.remove(worker);
    for (const known of runs === undefined
      ? this.#heldBy(worker)
      : runs.map((runId) => this.#tables.runs.find(runId))) {
      if (known?.row.worker === worker) this.#hand(known, null, known.head);
    }
  }

  #hand({ row, head }: Pick<KnownRun, 'row' | 'head'>, worker: string | null, before: HeadRow): KnownRun {
    const { runs } = this.#tables;
    const changed = runs.change(row, { worker }, head.frontier);
    return { row: changed, head, headSum: runs.changeHead(changed, head, before) };
  }

  #heldBy(worker: string): readonly KnownRun[] {
    const held = this.#connection.all('SELECT key FROM runs WHERE worker = ?', worker) as Pick<RunRow, 'key'>[];
    return held.flatMap(({ key }) => this.#orTell(key, () => this.#tables.runs.at(key)) ?? []);
  }

  /** Reads a run among others; a corrupt one is told of, once, and left out. */
  #orTell<T>(key: number, read: () => T): T | undefined {
    try {
      return read();
    } catch (error) {
      if (!HoldfastError.is(error, 'HOLDFAST_CORRUPT')) throw error;
      if (!this.#told.has(key)) this.#warn(error.message);
      this.#told.add(key);
      return undefined;
    }
  }
}

function isFree({ row }: KnownRun, living: ReadonlySet<string>): boolean {
  return row.loop === 0 && !isHidden(row.state) && (row.worker === null || !living.has(row.worker));
}
