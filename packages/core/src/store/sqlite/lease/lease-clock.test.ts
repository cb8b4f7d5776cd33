import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { nodeEnv } from '../../../env/node-env.ts';
import { inDirectory } from '../../../testing/sqlite/sqlite-places.ts';
import { virtualClock } from '../../../testing/virtual-clock.ts';
import { leaseClockOf } from './lease-clock.ts';

test('counts from the start of the machine, whatever the wall clock says', async () => {
  await inDirectory(async (directory) => {
    const file = join(directory, 'boot_id');
    await writeFile(file, 'boot-1\n');
    const clock = leaseClockOf(nodeEnv, file);
    const before = Number(process.hrtime.bigint()) / 1e6;
    const now = clock.now();
    expect(clock.boot).toBe('boot-1');
    expect(now).toBeGreaterThanOrEqual(before);
    expect(now).toBeLessThanOrEqual(Number(process.hrtime.bigint()) / 1e6);
  });
});

test('knows which start of the machine it was, where the machine says so', () => {
  const { boot } = leaseClockOf(nodeEnv);
  expect(boot).toBe(leaseClockOf(nodeEnv).boot);
  expect(boot).toMatch(process.platform === 'linux' ? /^[0-9a-f-]{36}$/ : /./);
});

test('goes by the wall clock where the machine does not say which start it was', () => {
  const clock = leaseClockOf(nodeEnv, 'no-such-file');
  const before = Date.now();
  expect(clock.boot).toBe('clock');
  expect(clock.now()).toBeGreaterThanOrEqual(before);
});

test('goes by a clock that was given', async () => {
  const clock = virtualClock();
  const lease = leaseClockOf({ ...nodeEnv, clock });
  const before = lease.now();
  await clock.advance(1_000);
  expect(lease.now() - before).toBe(1_000);
  expect(lease.boot).toBe('clock');
});

test('goes by a count of milliseconds that was given', () => {
  const lease = leaseClockOf({ ...nodeEnv, monotonicMs: () => 42 });
  expect(lease.now()).toBe(42);
  expect(lease.boot).toBe('given');
});
