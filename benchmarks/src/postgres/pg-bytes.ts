import { counter, type Engine, type Graph, graph, openEngine, type Shape } from 'holdfast';
import { deferred } from '../../../packages/core/src/async/deferred.ts';
import type { Report } from '../report.ts';
import { runToEnd } from '../trivial-graph.ts';
import { withServer } from './bench-server.ts';

const runs = 10_000;
/** Of each run, while all of them are alive. */
const steps = 10;

/** What a trivial super-step writes: to the tables, and to the log, over one checkpoint cycle with 10,000 live runs. */
export async function pgBytes(): Promise<Report> {
  return withServer(async ({ cluster, url }) => {
    await using engine = await openEngine(url('bench'), { lease: '10m' });
    const { primary } = cluster;
    const tables = `SELECT sum(pg_total_relation_size(c.oid))::float8 AS value FROM pg_class c
      JOIN pg_namespace n ON n.oid = c.relnamespace WHERE n.nspname = 'bench' AND c.relkind = 'r'`;
    const log = "SELECT (pg_current_wal_insert_lsn() - '0/0')::float8 AS value";
    const read = async (sql: string): Promise<number> =>
      (await primary.sql<{ value: number }>(sql))[0]?.value ?? Number.NaN;
    const crowd = startCrowd(engine);
    await crowd.atGate();
    await primary.sql('VACUUM ANALYZE');
    await primary.sql('CHECKPOINT');
    const [tableBefore, logBefore] = [await read(tables), await read(log)];
    const cpuBefore = process.cpuUsage();
    crowd.open();
    await crowd.atGate();
    const { user, system } = process.cpuUsage(cpuBefore);
    await primary.sql('CHECKPOINT');
    const count = runs * steps;
    const [table, wal] = [((await read(tables)) - tableBefore) / count, ((await read(log)) - logBefore) / count];
    const hot = `SELECT (100.0 * sum(n_tup_hot_upd) / sum(n_tup_upd))::float8 AS value FROM pg_stat_user_tables WHERE relname = 'heads'`;
    const kept = await read(hot);
    crowd.open();
    await crowd.ended;
    return {
      settings: { runs, steps, node: process.version },
      figures: [
        { name: 'tables and indexes, per super-step', value: table, unit: 'B', atMost: 250 },
        { name: 'log (WAL), per super-step', value: wal, unit: 'B', atMost: 600 },
        { name: 'a live run itself, tables and indexes', value: tableBefore / runs, unit: 'B' },
        { name: 'updates of heads that stay on their page', value: kept, unit: '%' },
        { name: "the client's processor, per super-step", value: (user + system) / count, unit: 'µs' },
      ],
    };
  });
}

interface Crowd {
  /** Resolves when all runs wait at the next gate: before the super-steps that are measured, and after them. */
  atGate(): Promise<void>;
  open(): void;
  readonly ended: Promise<unknown>;
}

/** Many runs at once, each of which waits twice for all the others. */
function startCrowd(engine: Engine): Crowd {
  let waiting = 0;
  let isHere = deferred();
  let gate = deferred();
  const loop: Graph<Shape & { readonly nodes: 'a' }> = graph('crowd', { state: { n: counter() } })
    .node('a', async ({ state: { n } }) => {
      if (n === 1 || n === steps + 1) {
        waiting += 1;
        if (waiting === runs) isHere.resolve();
        await gate.promise;
      }
      return { n: 1 };
    })
    .edge('start', 'a')
    .route('a', ['a', 'end'], ({ n }) => (n >= steps + 2 ? 'end' : 'a'))
    .compile();
  const ended = Promise.all(Array.from({ length: runs }, () => runToEnd(engine, loop, steps + 2)));
  return {
    // A run that fails opens no gate.
    atGate: () => Promise.race([isHere.promise, ended.then(() => undefined)]),
    open: () => {
      const { resolve } = gate;
      waiting = 0;
      isHere = deferred();
      gate = deferred();
      resolve();
    },
    ended,
  };
}
