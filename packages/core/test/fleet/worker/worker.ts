// A process of the fleet: some engines, each of which works, until it is told to end.
import { appendFileSync } from 'node:fs';
import type { Takeover } from '../../../src/engine/lease/takeover.ts';
import { openEngine } from '../../../src/engine/open.ts';
import { postgresStoreAt } from '../../../src/store/postgres/url.ts';
import { fleetGraph } from './fleet-graph.ts';
import type { Line, Unplaced, WorkerOrders } from './line.ts';
import { workerMutants } from './mutants.ts';
import { recordedStore } from './recorded-store.ts';

const orders = JSON.parse(process.argv[2] ?? '{}') as WorkerOrders;
const { url, ledger, life, leaseMs, mutant } = orders;

/** The same clock for all processes of the machine, which nobody sets. */
function write(line: Unplaced<Line>): void {
  const at = Number(process.hrtime.bigint() / 1_000n) / 1_000;
  appendFileSync(ledger, `${JSON.stringify({ ...line, at, life })}\n`);
}

async function open(worker: number) {
  const graph = fleetGraph(async (run, n) => {
    write({ what: 'body', run, n, worker });
    await new Promise((resolve) => setTimeout(resolve, (n * 7) % 4));
  });
  const breakIt = mutant === undefined ? undefined : workerMutants[mutant];
  const store = postgresStoreAt(url);
  const broken = breakIt === undefined ? store : breakIt(store, orders);
  const options = { graphs: [graph], lease: leaseMs, workerId: `w-${life}-${worker}`, log: 'silent' } as const;
  const onTakeover = ({ runId, workerId, noticed }: Takeover): void =>
    write({ what: 'takeover', run: runId, worker, from: workerId, noticed });
  const engine = await openEngine(recordedStore(broken, worker, write), options);
  return { engine, worker: engine.work({ concurrency: 4, onTakeover }) };
}

const opened = await Promise.all(Array.from({ length: orders.workers }, (_, worker) => open(worker)));
process.stdout.write('ready\n');
process.on('SIGTERM', () => {
  void Promise.all(opened.map(({ engine }) => engine.close())).then(() => process.exit(0));
});
// Ends with its parent, however that ends.
process.stdin.on('end', () => process.exit(1)).resume();
