// PgBouncer in transaction mode, as people run it: each statement may have another connection.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openEngine, type StoreUrl, workflow } from 'holdfast';
import { examinePostgres } from 'holdfast/postgres';
import { describe, expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { giveBack, takeSchema } from '../../src/testing/postgres/postgres-places.ts';
import { serverUser, testServer } from '../../src/testing/postgres/server.ts';

const program = 'pgbouncer';

function isInstalled(): boolean {
  try {
    execFileSync(program, ['--version'], { stdio: 'ignore' });
    return true;
  } catch {
    return false;
  }
}

function isListening(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1');
    socket.on('connect', () => resolve(true)).on('error', () => resolve(false));
    socket.on('connect', () => socket.destroy());
  });
}

/** A pooler with few connections, so that clients really share them. Gives the address of a store behind it. */
async function openPooler(): Promise<(parameters: string) => StoreUrl> {
  const { hostname, port: target, username, password, pathname } = new URL(await testServer());
  const schema = await takeSchema();
  const folder = mkdtempSync(join(tmpdir(), 'holdfast-pooler-'));
  const port = randomInt(30_000, 32_000);
  const login = `user=${decodeURIComponent(username)}${password === '' ? '' : ` password=${decodeURIComponent(password)}`}`;
  const settings = [
    '[databases]',
    `pooled = host=${hostname} port=${target || '5432'} dbname=${pathname.slice(1)} ${login}`,
    '[pgbouncer]',
    `listen_addr = 127.0.0.1`,
    `listen_port = ${port}`,
    'unix_socket_dir =',
    'auth_type = any',
    'pool_mode = transaction',
    'default_pool_size = 3',
  ];
  writeFileSync(join(folder, 'pooler.ini'), settings.join('\n'));
  chmodSync(folder, 0o755);
  const pooler: ChildProcess = spawn(program, [join(folder, 'pooler.ini')], { ...serverUser, stdio: 'ignore' });
  onTestFinished(async () => {
    pooler.kill('SIGKILL');
    rmSync(folder, { recursive: true });
    await giveBack(schema);
  });
  await expect.poll(() => isListening(port)).toBe(true);
  return (parameters) => `postgres://postgres@127.0.0.1:${port}/pooled?schema=${schema}${parameters}`;
}

const asks = { ok: { show: z.string(), answer: z.number() } };
const flow = workflow('flow', { input: z.object({ n: z.number() }), asks }, async ({ n }, { step, sleep, ask }) => {
  const doubled = await step('double', () => n * 2);
  await sleep('moment', 5);
  return doubled + (await ask('ok', 'How much more?'));
});

describe.skipIf(!isInstalled())(
  `a store behind ${program} in transaction mode (left out where that is not installed)`,
  () => {
    test('works with named=false: runs are executed, asked, answered and found by another worker', async () => {
      const url = await openPooler();
      const options = { graphs: [flow], lease: '2s', log: 'silent' } as const;
      const client = await openEngine(url('&named=false'), { ...options, executes: false });
      const worker = await openEngine(url('&named=false&max=8'), options);
      worker.work();
      const runs = await Promise.all(
        Array.from({ length: 12 }, (_, n) => client.submit(flow, { n }, { id: `run-${n}` })),
      );
      for (const run of runs) await expect.poll(async () => (await run.summary()).waits.length).toBe(1);
      await Promise.all(runs.map((run) => run.answer('ok', 1)));
      expect(await Promise.all(runs.map((run) => run.result()))).toEqual(runs.map((_, n) => n * 2 + 1));
      await worker.close();
      await client.close();
    });

    test('says what is wrong without it, and so does doctor', async () => {
      const url = await openPooler();
      expect(await examinePostgres(url(''))).toMatchObject({ isPooled: true, named: true });
      const engine = await openEngine(url(''), { lease: '1s', log: 'silent' });
      onTestFinished(() => engine.close());
      const appends = Array.from({ length: 60 }, (_, n) => engine.journal.append(`run-${n % 20}`, { payload: n }));
      const results = await Promise.allSettled(appends);
      const errors = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
      expect(errors).not.toEqual([]);
      for (const error of errors) expect(error).toMatchObject({ details: { problem: 'pooler', effect: 'none' } });
    });
  },
);
