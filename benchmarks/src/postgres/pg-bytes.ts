import { openEngine } from 'holdfast';
import type { Report } from '../report.ts';
import { runToEnd, trivialLoop } from '../trivial-graph.ts';
import { withServer } from './bench-server.ts';

const runs = 10_000;
const together = 64;
const warmUp = 500;
const steps = 10;

/** What a trivial super-step writes: to the tables, and to the log, over one checkpoint cycle with 10,000 live runs. */
export async function pgBytes(): Promise<Report> {
  return withServer(async ({ cluster, url }) => {
    await using engine = await openEngine(url('bench'), { lease: '10m' });
    const { primary } = cluster;
    const loop = trivialLoop(steps);
    const tables = `SELECT sum(pg_total_relation_size(c.oid))::float8 AS value FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'bench' AND c.relkind = 'r'`;
    const log = "SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS value";
    const read = async (sql: string): Promise<number> =>
      (await primary.sql<{ value: number }>(sql))[0]?.value ?? Number.NaN;
    const play = async (count: number): Promise<void> => {
      let left = count;
      const lane = async (): Promise<void> => {
        for (; left > 0; ) {
          left -= 1;
          await runToEnd(engine, loop, steps);
        }
      };
      await Promise.all(Array.from({ length: together }, lane));
    };
    await play(warmUp);
    await primary.sql('VACUUM ANALYZE');
    await primary.sql('CHECKPOINT');
    const [tableBefore, logBefore] = [await read(tables), await read(log)];
    const cpuBefore = process.cpuUsage();
    await play(runs);
    const { user, system } = process.cpuUsage(cpuBefore);
    await primary.sql('CHECKPOINT');
    const count = runs * steps;
    const [table, wal] = [((await read(tables)) - tableBefore) / count, ((await read(log)) - logBefore) / count];
    const hot = `SELECT (100.0 * sum(n_tup_hot_upd) / sum(n_tup_upd))::float8 AS value FROM pg_stat_user_tables WHERE relname = 'heads'`;
    return {
      settings: { runs, steps, together, node: process.version },
      figures: [
        { name: 'tables and indexes, per super-step, with the run itself', value: table, unit: 'B', atMost: 250 },
        { name: 'log (WAL), per super-step', value: wal, unit: 'B', atMost: 600 },
        { name: 'updates of heads that stay on their page', value: await read(hot), unit: '%' },
        { name: "the client's processor, per super-step", value: (user + system) / count, unit: 'µs' },
      ],
    };
  });
}
