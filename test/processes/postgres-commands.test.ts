// The real binary on a Postgres store.
import { openEngine } from 'holdfast';
import { expect, test } from 'vitest';
import { openBench } from '../../packages/cli/test/bench.ts';
import { giveBack, takeSchema } from '../../packages/core/src/testing/postgres/postgres-places.ts';
import { testServer } from '../../packages/core/src/testing/postgres/server.ts';

test('the commands work on postgres://, and never show its password', async () => {
  const schema = await takeSchema();
  const server = (await testServer()).replace(/\/\/([^:@]*)(?::[^@]*)?@/u, '//$1:hush@');
  const store = `${server}?schema=${schema}` as `postgres://${string}`;
  const bench = openBench();
  try {
    const engine = await openEngine(store);
    await engine.journal.append('notes-1', { payload: 'hello' });
    await engine.close();
    const run = (...args: readonly string[]) => bench.run([...args, '--store', store]);
    const [runs, show, doctor, verify] = [
      await run('runs', '--json'),
      await run('show', 'notes-1'),
      await run('doctor'),
      await run('verify'),
    ];
    expect(runs.stdout).toContain('notes-1');
    expect(show).toMatchObject({ code: 0, stdout: expect.stringContaining('notes-1') });
    expect(doctor).toMatchObject({ code: 0, stdout: expect.stringContaining('1 run') });
    expect(verify.code).toBe(0);
    for (const { stdout, stderr } of [runs, show, doctor, verify]) expect(stdout + stderr).not.toContain('hush');
    const missing = await bench.run(['runs', '--store', 'postgres://me:hush@127.0.0.1:1/none']);
    expect(missing.code).not.toBe(0);
    expect(missing.stderr).toContain('Is the server running');
    expect(missing.stderr).not.toContain('hush');
  } finally {
    bench.close();
    await giveBack(schema);
  }
});
