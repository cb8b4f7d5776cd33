// `holdfast backup`: the real binary, beside a process that writes.
import { copyFileSync, rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Bench, openBench } from './bench.ts';

let bench: Bench;
beforeAll(() => {
  bench = openBench();
});
afterAll(() => bench.close());

test('copies a store beside a worker; what is restored goes on from there', async () => {
  await bench.run(['run', 'refunds', 'order=ord_1', 'cents=5', '--id', 'r']);
  const worker = bench.start(['work']);
  await worker.printed(/Working on/u);
  const { code, stdout } = await bench.run(['backup', 'copy.db', '--json']);
  expect({ code, report: JSON.parse(stdout) as unknown }).toMatchObject({
    code: 0,
    report: { schema: 'holdfast.backup/1', ok: true, file: join(bench.folder, 'copy.db'), corruption: [] },
  });
  expect(statSync(join(bench.folder, 'copy.db')).mode & 0o777).toBe(0o600);
  // What happens after the backup is not in it.
  await bench.run(['answer', 'r', 'approval', 'ok=false', '--wait']);
  worker.child.kill('SIGTERM');
  await worker.done;
  // The disaster, and the restore.
  rmSync(join(bench.folder, '.holdfast'), { recursive: true });
  await bench.run(['migrate']);
  copyFileSync(join(bench.folder, 'copy.db'), join(bench.folder, '.holdfast', 'holdfast.db'));
  expect(await bench.run(['verify'])).toMatchObject({ code: 0, stdout: expect.stringContaining('ok: ') });
  expect((await bench.run(['answer', 'r', 'approval', 'ok=true'])).code).toBe(0);
  expect((await bench.run(['recover'])).stdout).toMatch(/^r +refunds +completed/mu);
  expect((await bench.run(['state', 'r'])).stdout).toContain('receipt of ord_1');
});

test('overwrites nothing, and says how to back up other stores', async () => {
  await bench.run(['migrate']);
  expect(await bench.run(['backup', 'package.json'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('package.json already exists'),
  });
  expect(await bench.run(['backup', 'x.db', '--store', 'file:runs'])).toMatchObject({
    code: 2,
    stderr: expect.stringContaining('copy the folder'),
  });
  expect(await bench.run(['backup', 'x.db', '--store', 'sqlite:none.db'])).toMatchObject({ code: 4 });
});
