import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { builtScript } from './built-script.ts';
import { onEnd } from './clean-up.ts';
import { type LaneOrders, type LaneResult, noResult, sum } from './lane-result.ts';

interface RunLanesOptions {
  /** Told of every part as it comes. */
  readonly onPart?: ((part: LaneResult) => void) | undefined;
}

/** Runs lanes side by side and gives what came of all of them. @throws when one ends without a result */
export async function runLanes(lanes: readonly LaneOrders[], options: RunLanesOptions = {}): Promise<LaneResult> {
  const results = await Promise.all(lanes.map((orders) => runLane(orders, options)));
  return results.reduce(sum, noResult);
}

async function runLane(orders: LaneOrders, { onPart }: RunLanesOptions): Promise<LaneResult> {
  const script = builtScript('runner/lane');
  // The collector is called by hand where a store's files must be closed for sure.
  const child = spawn(process.execPath, ['--expose-gc', script, JSON.stringify(orders)], {
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // Those that run in memory hear no signal while they are at it, and have nothing to clear away.
  const isDeaf = orders.harness === 'disk' || orders.harness === 'corruption';
  const forget = onEnd(() => child.kill(isDeaf ? 'SIGKILL' : 'SIGTERM'));
  let errors = '';
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    errors = (errors + chunk).slice(-4_000);
  });
  let result = noResult;
  createInterface({ input: child.stdout }).on('line', (line) => {
    const part = JSON.parse(line) as LaneResult;
    result = sum(result, part);
    onPart?.(part);
  });
  const [code] = (await once(child, 'close')) as [number | null];
  forget();
  if (code === 0) return result;
  throw new Error(`A lane of ${orders.harness} on ${orders.store} ended with ${code}: ${errors}`);
}
