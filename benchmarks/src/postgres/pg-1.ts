import { openEngine } from 'holdfast';
import { postgresStore } from 'holdfast/postgres';
import { Client, Pool } from 'pg';
import type { PostgresQuery } from '../../../packages/core/src/store/postgres/connection/pool.ts';
import { interceptedPool } from '../../../packages/core/src/testing/postgres/failing-pool.ts';
import type { Report } from '../report.ts';
import { median } from '../timing.ts';
import { runToEnd, trivialLoop } from '../trivial-graph.ts';
import { type BenchServer, withServer } from './bench-server.ts';

const rounds = 5;
const steps = 1_000;

/** One run at a time through the whole engine, beside a bare loop of the same statement on one connection. */
export async function pg1(): Promise<Report> {
  return withServer(async (server) => {
    const trips = await tripsPerStep(server);
    await using engine = await openEngine(server.url('bench'), { lease: '10m' });
    const loop = trivialLoop(steps);
    const bare = await bareLoop(server);
    const ours: number[] = [];
    const theirs: number[] = [];
    for (let round = 0; round < rounds; round += 1) {
      ours.push(await perSecond(() => runToEnd(engine, loop, steps)));
      theirs.push(await perSecond(bare.play));
    }
    await bare.end();
    const ratio = median(ours.map((each, at) => each / (theirs[at] ?? Number.NaN)));
    return {
      settings: { rounds, steps, fsync: 'on', node: process.version },
      figures: [
        { name: 'round trips per super-step, counted by a proxy', value: trips, unit: 'trips', atMost: 1, atLeast: 1 },
        { name: 'engine ÷ a bare loop of the same statement', value: ratio, unit: 'ratio', atLeast: 0.85 },
        { name: 'engine', value: median(ours), unit: 'steps/s' },
        { name: 'bare loop', value: median(theirs), unit: 'steps/s' },
      ],
    };
  });
}

async function perSecond(play: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await play();
  return (1_000 * steps) / (performance.now() - startedAt);
}

/** The difference of a long run and a short one, without what goes on beside them. */
async function tripsPerStep({ cluster, proxied }: BenchServer): Promise<number> {
  await using engine = await openEngine(proxied('trips'), { lease: '10m' });
  const [proxy] = cluster.proxies;
  const tripsOf = async (length: number): Promise<number> => {
    const before = proxy?.trips.length ?? 0;
    await runToEnd(engine, trivialLoop(length), length);
    const trips = proxy?.trips.slice(before) ?? [];
    return trips.filter((sql) => sql !== undefined && !/pg_notify|^LISTEN/u.test(sql)).length;
  };
  await tripsOf(5);
  const few = await tripsOf(20);
  return ((await tripsOf(120)) - few) / 100;
}

/** Where the statement of a commit has its values: what grows by one each time. */
const growing = { seq: 1, rev: 7, known: 10, rowSeq: 12, first: 13 } as const;

/** The statement that the engine sends for a super-step, sent again and again by `pg` alone. */
async function bareLoop({
  cluster,
  url,
}: BenchServer): Promise<{ play: () => Promise<void>; end: () => Promise<void> }> {
  const pool = new Pool({ connectionString: url('bare').replace(/\?.*/u, '') });
  let last: PostgresQuery | undefined;
  const watched = interceptedPool(pool, (query, execute) => {
    if (query.text.startsWith('WITH done AS (UPDATE') && !query.text.includes('changed AS')) last = query;
    return execute();
  });
  const engine = await openEngine(postgresStore({ pool: watched, schema: 'bare' }), { lease: '10m' });
  await runToEnd(engine, trivialLoop(10), 10);
  await engine.close();
  await pool.end();
  if (last === undefined) throw new Error('The engine sent no such statement.');
  const { text, values, name } = last;
  const client = new Client({ connectionString: cluster.primary.url });
  await client.connect();
  const [key] = values[0] as [string];
  const { rows } = await client.query<{ seq: string; rev: string }>(
    `SELECT seq, rev FROM "bare".heads WHERE key = $1`,
    [key],
  );
  let [seq, rev] = [Number(rows[0]?.seq), Number(rows[0]?.rev)];
  const play = async (): Promise<void> => {
    for (let step = 0; step < steps; step += 1) {
      const next = [...values];
      next[growing.known] = [rev];
      seq += 1;
      rev += 1;
      next[growing.seq] = [seq];
      next[growing.rev] = [rev];
      next[growing.rowSeq] = [seq];
      next[growing.first] = [seq];
      const { rowCount } = await client.query({
        text,
        values: next,
        ...(name === undefined ? {} : { name }),
        rowMode: 'array',
      });
      if (rowCount !== 1) throw new Error('The statement has changed: nothing was written.');
    }
  };
  return { play, end: () => client.end() };
}
