// Absurd on Postgres: each step is `ctx.step`, and a worker of the same process executes the tasks. Its schema is not in its
// package: `absurdctl`, a program from PyPI, installs it; HOLDFAST_ABSURD_SQL names the file `absurd.sql` of its repository.
import { readFile } from 'node:fs/promises';
import { Absurd } from 'absurd-sdk';
import pg from 'pg';
import { Finished } from './finished.js';

/** @param {{ url: string, concurrency?: number }} options */
export async function openPeer({ url, concurrency = 64 }) {
  const pool = new pg.Pool({ connectionString: url, max: 16 });
  await pool.query(await readFile(process.env.HOLDFAST_ABSURD_SQL, 'utf8'));
  const app = new Absurd({ db: pool, queueName: 'default' });
  await app.createQueue('default');
  const finished = new Finished();
  app.registerTask({ name: 'loop' }, async ({ id, steps }, ctx) => {
    const startedAt = performance.now();
    let n = 0;
    for (let at = 0; at < steps; at += 1) n += await ctx.step(`step-${at}`, async () => 1);
    finished.tell(id, { n, ms: performance.now() - startedAt });
    return n;
  });
  const worker = await app.startWorker({ concurrency, pollInterval: 0.01 });
  return {
    run: (steps) => finished.of(steps, (id) => app.spawn('loop', { id, steps })),
    async close() {
      await worker.close();
      await pool.end();
    },
  };
}
