// One lane of a harness: node lane.js ORDERS. Says what came of its cycles, a line of JSON for every second or so.
import { writeSync } from 'node:fs';
import type { Harness } from './harness.ts';
import { harnesses } from './harnesses.ts';
import { type LaneOrders, type LaneResult, noResult, sum } from './lane-result.ts';
import { newWorkspace } from './workspace.ts';

const reportEveryMs = 1_000;

/** How many times its cycles a lane does at most to get its hits: on a busy machine most cycles may miss. */
const leeway = 40;

async function run(orders: LaneOrders): Promise<void> {
  const harness: Harness = await harnesses[orders.harness]({ ...orders, directory: newWorkspace(orders.directory) });
  const { cycles, hits: wanted = 0, goOn = false } = orders;
  let done = 0;
  let hits = 0;
  const isEnough = (): boolean => done >= cycles && (hits >= wanted || done >= cycles * leeway);
  let part: LaneResult = noResult;
  let reportedMs = performance.now();
  const report = (): void => {
    writeSync(1, `${JSON.stringify(part)}\n`);
    part = noResult;
    reportedMs = performance.now();
  };
  try {
    while (!isEnough()) {
      const result = await harness.cycle();
      if (result === undefined) break;
      part = sum(part, result);
      done += result.cycles;
      hits += result.hits;
      if (result.violations.length > 0 && !goOn) break;
      if (performance.now() - reportedMs > reportEveryMs) report();
    }
  } finally {
    await harness.close();
  }
  report();
}

// The parent holds the other end; when it is gone, nobody reads the results.
process.stdin.on('end', () => process.exit(1)).resume();
await run(JSON.parse(process.argv[2] ?? '') as LaneOrders);
process.exit(0);
