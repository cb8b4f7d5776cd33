import { expect, test } from 'vitest';
import type { Env } from '../../../env/env.ts';
import { nodeEnv } from '../../../env/node-env.ts';
import type { RunsQuery } from '../../../store/contract/read.ts';
import type { RunHeader } from '../../../store/contract/run.ts';
import { virtualClock } from '../../../testing/virtual-clock.ts';
import { ParkedRuns } from './parked-runs.ts';

/** Parked runs that are due at these times; `reads` are the runs that each look read. */
function parked(wakeAt: (runId: string) => number | null) {
  const clock = virtualClock();
  const env: Env = { ...nodeEnv, clock, random: () => 0 };
  const reads: (readonly string[])[] = [];
  const woken: [runId: string, wakeAt: number][] = [];
  const faults: Error[] = [];
  const runs = async ({ runIds = [] }: RunsQuery): Promise<readonly RunHeader[]> => {
    reads.push(runIds);
    const fault = faults.shift();
    if (fault !== undefined) throw fault;
    return runIds.map((runId) => ({ runId, head: 2, wakeAt: wakeAt(runId) }) as RunHeader);
  };
  const onWakeAt = ({ runId }: Pick<RunHeader, 'runId'>, at: number): void => void woken.push([runId, at]);
  return { clock, reads, woken, faults, runs: new ParkedRuns({ env, store: { runs }, onWakeAt }) };
}

test('are read once after many hints, and woken when they are due', async () => {
  const { clock, reads, woken, runs } = parked((runId) => (runId === 'waits' ? null : 5));
  for (const runId of ['answered', 'waits', 'untouched']) runs.add(runId, 1);
  for (let hint = 0; hint < 9; hint += 1) runs.changed('answered', 2);
  runs.changed('waits', 2);
  await clock.advance(10_000);
  expect(reads).toEqual([['answered', 'waits']]);
  expect(woken).toEqual([['answered', 5]]);
});

test('are not read for hints about other runs, and not when they execute here again', async () => {
  const { clock, reads, runs } = parked(() => 5);
  runs.changed(undefined, 2);
  runs.add('run', 1);
  runs.changed('other', 2);
  // Our own commit.
  runs.changed('run', 1);
  await clock.advance(10_000);
  runs.changed('run', 2);
  runs.delete('run');
  await clock.advance(10_000);
  expect(reads).toEqual([]);
});

test('are read again when the store failed, after longer and longer pauses', async () => {
  const { clock, woken, reads, faults, runs } = parked(() => 5);
  runs.add('run', 1);
  faults.push(new Error('no answer'), new Error('no answer'), new Error('no answer'));
  runs.changed('run', 2);
  await clock.advance(3_000);
  expect(reads).toHaveLength(2);
  await clock.advance(60_000);
  expect(woken).toEqual([['run', 5]]);
});

test('are all read after a hint about any run, the latest thousand of them', async () => {
  const { clock, reads, runs } = parked(() => null);
  for (let at = 0; at < 1_001; at += 1) runs.add(`run-${at}`, 1);
  runs.changed(undefined, 2);
  await clock.advance(10_000);
  expect(reads.map(({ length }) => length)).toEqual([250, 250, 250, 250]);
  expect(reads.flat()).not.toContain('run-0');
});

test('are forgotten when others are to wake them', async () => {
  const { clock, reads, runs } = parked(() => 5);
  runs.add('run', 1);
  runs.changed('run', 2);
  runs.clear();
  runs.changed('run', 2);
  runs.close();
  runs.add('run', 1);
  runs.changed('run', 2);
  await clock.advance(10_000);
  expect(reads).toEqual([]);
});
