// One lane of a harness: node lane.js ORDERS. Says what came of its cycles, a line of JSON for every second or so.
import { writeSync } from 'node:fs';
import type { Harness } from './harness.ts';
import { harnesses } from './harnesses.ts';
import { type LaneOrders, type LaneResult, noResult, sum } from './lane-result.ts';
import { newWorkspace } from './workspace.ts';

const reportEveryMs = 1_000;

async function run(orders: LaneOrders): Promise<void> {
  const harness: Harness = await harnesses[orders.harness]({ ...orders, directory: newWorkspace(orders.directory) });
  let part: LaneResult = noResult;
  let reportedMs = performance.now();
  const report = (): void => {
    writeSync(1, `${JSON.stringify(part)}\n`);
    part = noResult;
    reportedMs = performance.now();
  };
  try {
    for (let done = 0; done < orders.cycles; ) {
      const result = await harness.cycle();
      if (result === undefined) break;
      part = sum(part, result);
      done += result.cycles;
      if (result.violations.length > 0 && orders.goOn !== true) break;
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
