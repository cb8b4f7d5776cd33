import { execFile } from 'node:child_process';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { openEngine } from 'holdfast';
import { postgresStore } from 'holdfast/postgres';
import { Client, Pool } from 'pg';
import type { PostgresQuery } from '../../../packages/core/src/store/postgres/connection/pool.ts';
import { interceptedPool } from '../../../packages/core/src/testing/postgres/failing-pool.ts';
import { runToEnd, trivialLoop } from '../trivial-graph.ts';
import type { BenchServer } from './bench-server.ts';

const execute = promisify(execFile);

/** Where the statement of a commit has its values: what grows by one each time. */
const growing = { seq: 1, rev: 7, known: 10, rowSeq: 12, first: 13 } as const;

/** The statement that the engine sends for a super-step, sent again and again by others. */
export interface BareStatement {
  /** By `pg` alone, on one connection. */
  readonly byPg: () => Promise<void>;
  /** By `pgbench`, on one connection: how many per second. Undefined where it is not installed. */
  readonly byPgbench: () => Promise<number | undefined>;
  readonly end: () => Promise<void>;
}

/** Lets the engine send one, and takes it. */
export async function bareStatement({ cluster, url }: BenchServer, steps: number): Promise<BareStatement> {
  const query = await commitStatement(url('bare').replace(/\?.*/u, ''));
  const client = new Client({ connectionString: cluster.primary.url });
  await client.connect();
  const [key] = query.values[0] as [string];
  const head = async (): Promise<{ seq: number; rev: number }> => {
    const sql = 'SELECT seq::int, rev::int FROM "bare".heads WHERE key = $1';
    const { rows } = await client.query<{ seq: number; rev: number }>(sql, [key]);
    return rows[0] ?? { seq: Number.NaN, rev: Number.NaN };
  };
  return {
    byPg: async () => {
      const { seq, rev } = await head();
      for (let step = 1; step <= steps; step += 1) {
        const values = [...query.values];
        for (const at of [growing.seq, growing.rowSeq, growing.first]) values[at] = [seq + step];
        values[growing.known] = [rev + step - 1];
        values[growing.rev] = [rev + step];
        const { rowCount } = await client.query({ ...query, values });
        if (rowCount !== 1) throw new Error('The statement has changed: nothing was written.');
      }
    },
    byPgbench: async () => {
      const before = await head();
      const script = join(cluster.folder, 'statement.sql');
      await writeFile(script, scriptOf(query));
      const rate = await pgbench(script, { ...before, query, steps, url: cluster.primary.url });
      const written = (await head()).seq - before.seq;
      if (rate !== undefined && written !== steps) throw new Error(`pgbench wrote ${written} times of ${steps}.`);
      return rate;
    },
    end: () => client.end(),
  };
}

async function commitStatement(url: string): Promise<PostgresQuery> {
  const pool = new Pool({ connectionString: url });
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
  return last;
}

/** The statement with a variable for each value. */
function scriptOf({ text, values }: PostgresQuery): string {
  const names = new Map<number, string>([
    [growing.seq, 'seq'],
    [growing.rowSeq, 'seq'],
    [growing.first, 'seq'],
    [growing.known, 'known'],
    [growing.rev, 'rev'],
  ]);
  const sql = text.replace(/\$(\d+)::/gu, (_, parameter: string) => {
    const at = Number(parameter) - 1;
    const [value] = values[at] as [unknown];
    return value === null ? 'ARRAY[NULL]::' : `ARRAY[:${names.get(at) ?? `v${at}`}]::`;
  });
  return `\\set seq :seq + 1\n\\set known :rev\n\\set rev :rev + 1\n${sql};\n`;
}

interface PgbenchOptions {
  readonly query: PostgresQuery;
  readonly seq: number;
  readonly rev: number;
  readonly steps: number;
  readonly url: string;
}

async function pgbench(script: string, { query, seq, rev, steps, url }: PgbenchOptions): Promise<number | undefined> {
  const values = query.values.flatMap((value, at) => {
    const [one] = value as [string | number | null];
    return one === null ? [] : [`--define=v${at}=${one}`];
  });
  const options = ['--no-vacuum', '--protocol=prepared', `--transactions=${steps}`, `--file=${script}`];
  try {
    const given = [...options, ...values, `--define=seq=${seq}`, `--define=rev=${rev}`, url];
    const { stdout } = await execute('pgbench', given);
    return Number(/tps = ([\d.]+) \(without/u.exec(stdout)?.[1]);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}
