import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { NewRun } from '../../../src/store/contract/run.ts';
import { seededRandom } from '../../../src/testing/seeded-random.ts';
import { openPlace, type Place } from '../place/open-place.ts';
import type { Harness } from '../runner/harness.ts';
import type { LaneOrders, LaneResult } from '../runner/lane-result.ts';
import { filesClosed } from '../verify/files-closed.ts';
import { Ledger } from '../verify/ledger.ts';
import { verifyStore } from '../verify/verify-store.ts';
import type { Violation } from '../verify/violation.ts';
import { entriesOf } from '../workload/content.ts';
import type { AnyLine } from '../workload/line.ts';
import { ScriptProcess } from '../workload/script-process.ts';
import type { LeaseLine } from './lease-line.ts';
import { linesOf, verifyClaims, verifyOwned } from './verify-leases.ts';
import type { WorkerOrders } from './worker.ts';

const runs = ['shared-a', 'shared-b', 'shared-c'] as const;
const leaseMs = 200;
const pauses = 3;
/** So many runs are taken while a worker stands still. */
const claimsWhileStopped = 6;
const longestStopMs = 1_000;

/** Two processes on one store: one of them is stopped until the other has its run, and continues, again and again. */
export class LeaseCycles implements Harness {
  readonly #orders: LaneOrders;
  readonly #random: () => number;
  #cycle = 0;

  constructor(orders: LaneOrders) {
    this.#orders = orders;
    this.#random = seededRandom(orders.seed);
  }

  async cycle(): Promise<LaneResult> {
    const { store, mutant, directory } = this.#orders;
    this.#cycle += 1;
    const place: Place = { store, mutant, directory: join(directory, `place-${this.#cycle}`) };
    await createShared({ ...place, mutant: undefined });
    await filesClosed(place.directory);
    const workers = ['worker-a', 'worker-b'].map((worker) => this.#start(place, worker));
    const lines = await this.#disturb(workers);
    const leases = lines.filter(isLease);
    const ledger = new Ledger();
    const told = ledger.add(lines);
    const violations = await look(place, ledger, leases);
    await filesClosed(place.directory);
    await rm(place.directory, { recursive: true, force: true });
    return {
      cycles: 1,
      acknowledged: ledger.acknowledged + linesOf(leases, 'owned').length,
      hits: linesOf(leases, 'stale').length > 0 ? 1 : 0,
      mended: 0,
      violations: [...told, ...verifyClaims(leases), ...violations],
    };
  }

  async close(): Promise<void> {}

  #start(place: Place, worker: string): ScriptProcess {
    const seed = Math.floor(this.#random() * 2 ** 31);
    const orders: WorkerOrders = { place, worker, seed, runs, leaseMs };
    return new ScriptProcess('processes/worker', orders);
  }

  /** Stops one worker until its lease is over and the other has taken its run, then the other one. */
  async #disturb(workers: readonly ScriptProcess[]): Promise<readonly AnyLine[]> {
    try {
      await Promise.all(workers.map((worker) => worker.said('open')));
      for (let pause = 0; pause < pauses; pause += 1) {
        await sleep(this.#random() * 50);
        const stopped = workers[pause % 2] as ScriptProcess;
        const other = workers[(pause + 1) % 2] as ScriptProcess;
        // It holds a run when it stops, mostly.
        await stopped.saidAgain('claim');
        stopped.stop();
        await sleep(leaseMs);
        // Whoever works claims runs all the time: among so many is one that the other has left. One that stands still
        // in the middle of a transaction keeps everybody out, and is not waited for.
        await Promise.race([other.saidAgain('claim', claimsWhileStopped), sleep(longestStopMs)]);
        stopped.continue();
        // It finds out with its next commit.
        await stopped.saidAgain('beat', 2);
      }
      await Promise.all(workers.map((worker) => worker.end()));
    } finally {
      await Promise.all(workers.map((worker) => worker.kill()));
    }
    for (const worker of workers) {
      if (worker.lines.at(-1)?.type !== 'done')
        throw new Error(`A worker failed: ${JSON.stringify(worker.lines.at(-1))} ${worker.errors}`);
    }
    return workers.flatMap(({ lines }) => lines);
  }
}

function isLease(line: AnyLine): line is LeaseLine {
  return leaseTypes.has(line.type);
}

const leaseTypes: ReadonlySet<string> = new Set<LeaseLine['type']>(['beat', 'claim', 'release', 'owned', 'stale']);

async function look(place: Place, ledger: Ledger, leases: readonly LeaseLine[]): Promise<readonly Violation[]> {
  const store = await openPlace({ ...place, mutant: undefined });
  const owned = await verifyOwned(store, runs, leases);
  // The shared runs have records of another form, which were just looked at.
  const violations = await verifyStore(store, ledger, { probe: 'probe', ignore: runs });
  await store.close();
  return [...owned, ...violations];
}

async function createShared(place: Place): Promise<void> {
  const store = await openPlace(place);
  for (const runId of runs) {
    const of: NewRun = {
      kind: 'graph',
      graph: 'shared',
      version: 1,
      forkedAt: null,
      parentId: null,
      createdAt: 0,
      worker: null,
    };
    const entries = entriesOf({ token: runId, count: 1, snapshot: false, creates: { forkedAt: null } });
    const header = { status: 'running', superstep: 0, frontier: [], waits: [], wakeAt: null, tags: {} } as const;
    await store.commit({ runId, writer: { by: 'creator', of }, expect: 0, entries, header });
  }
  await store.close();
}
