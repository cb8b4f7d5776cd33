// What several writers of the same runs do to each other: groups that share runs, and forks of a base that is being removed.
import { Pool } from 'pg';
import { openEngine } from '../../../src/engine/open.ts';
import type { PostgresPool, PostgresQuery } from '../../../src/store/postgres/connection/pool.ts';
import { postgresStore } from '../../../src/store/postgres/open.ts';
import { interceptedPool } from '../../../src/testing/postgres/failing-pool.ts';
import { Cluster } from '../rig/cluster.ts';
import { pause } from '../rig/fleet.ts';
import type { ServerNode } from '../rig/server-node.ts';
import type { Scene } from './scene.ts';

/** Writes the runs of a group in the wrong order. */
function unsorted(pool: PostgresPool): PostgresPool {
  return interceptedPool(pool, async (query, execute) => {
    if (query.text.startsWith('WITH done AS (UPDATE')) {
      query.values.splice(0, query.values.length, ...query.values.map((value) => (value as unknown[]).toReversed()));
    }
    return execute();
  });
}

/** Believes what it sees of forks before it has the lock of their base. */
function checkingEarly(pool: PostgresPool, server: ServerNode, schema: string): PostgresPool {
  let early: readonly (readonly unknown[])[] = [];
  return interceptedPool(pool, async (query, execute) => {
    if (isLock(query)) {
      const sql = `SELECT r.base_seq AS seq FROM "${schema}".runs r JOIN "${schema}".runs b ON b.key = r.base WHERE b.run = $1`;
      early = (await server.sql<{ seq: string }>(sql, query.values)).map(({ seq }) => [seq]);
    }
    const result = await execute();
    return /SELECT r\.base_seq FROM .* WHERE r\.base = /u.test(query.text) ? { rows: early } : result;
  });
}

function isLock({ text }: PostgresQuery): boolean {
  return text.startsWith('SELECT h.key FROM') && text.includes('FOR UPDATE OF h');
}

const together = 64;

/** Two engines commit groups of the same runs at the same time: no deadlock. */
export const groupScene: Scene = async ({ rounds, mutant, say }) => {
  await using cluster = await Cluster.start({ standby: false });
  const { primary } = cluster;
  // As in a large store, where the server looks each head up by its key, one after the other.
  const plans = ['hashjoin', 'mergejoin', 'seqscan'];
  for (const plan of plans) await primary.sql(`ALTER DATABASE postgres SET enable_${plan} = off`);
  const pools = [0, 1].map(() => new Pool({ connectionString: primary.url, max: 8 }));
  const [one, two] = pools as [Pool, Pool];
  const engines = await Promise.all([
    openEngine(postgresStore({ pool: one, schema: 'groups' })),
    openEngine(postgresStore({ pool: mutant === undefined ? two : unsorted(two), schema: 'groups' })),
  ]);
  const ids = Array.from({ length: together }, (_, at) => `r-${at}`);
  const appendAll = (payload: string): Promise<unknown> =>
    Promise.all(engines.map((engine) => Promise.all(ids.map((id) => engine.journal.append(id, { payload })))));
  const deadlocks = async (): Promise<number> => {
    const sql = 'SELECT sum(deadlocks)::int AS count FROM pg_stat_database';
    return (await primary.sql<{ count: number }>(sql))[0]?.count ?? 0;
  };
  let found = 0;
  await appendAll('first');
  // Each lock is held for a moment, so that the groups meet.
  const nap = "'BEGIN PERFORM pg_sleep(0.002); RETURN NEW; END'";
  await primary.sql(`CREATE FUNCTION groups.nap() RETURNS trigger LANGUAGE plpgsql AS ${nap}`);
  await primary.sql('CREATE TRIGGER nap BEFORE UPDATE ON groups.heads FOR EACH ROW EXECUTE FUNCTION groups.nap()');
  try {
    for (let round = 0; round < rounds && found === 0; round += 1) {
      await appendAll(`${round}`);
      if (round % 10 === 9 || round === rounds - 1) {
        // Statistics reach the view when a connection has been idle for a moment.
        await pause(1_100);
        found = await deadlocks();
      }
    }
    const counts = await Promise.all(ids.map(async (id) => (await engines[0].journal.tail(id, rounds * 4 + 4)).length));
    const wrong =
      found === 0 && counts.some((count) => count !== rounds * 2 + 2)
        ? [`lost: not ${rounds * 2} records in every run`]
        : [];
    say(`${rounds} rounds of two groups of ${together}: ${found} deadlocks`);
    const violations =
      found === 0
        ? wrong
        : [
            `deadlock: ${found} deadlocks\n${(await primary.logged(/deadlock|waits for|Process \d+: /u)).slice(0, 8).join('\n').slice(0, 3_000)}`,
          ];
    return { rounds, acknowledged: rounds * together * 2, supersteps: 0, surplus: 0, violations };
  } finally {
    await Promise.all(engines.map((engine) => engine.close()));
    await Promise.all(pools.map((pool) => pool.end()));
  }
};

/** A fork is in flight while its base is deleted: afterwards both are there, or the base is not and the fork was refused. */
export const forkScene: Scene = async ({ rounds, mutant, say }) => {
  await using cluster = await Cluster.start({ standby: false });
  const { primary } = cluster;
  const schema = 'forks';
  const pool = new Pool({ connectionString: primary.url, max: 8 });
  const trimming = mutant === undefined ? pool : checkingEarly(pool, primary, schema);
  const forker = await openEngine(postgresStore({ pool, schema }));
  const trimmer = await openEngine(postgresStore({ pool: trimming, schema }));
  // A fork takes a moment, so that the deletion begins while it is in flight.
  await primary.sql(
    `CREATE FUNCTION "${schema}".nap() RETURNS trigger LANGUAGE plpgsql AS 'BEGIN PERFORM pg_sleep(0.2); RETURN NEW; END'`,
  );
  await primary.sql(
    `CREATE TRIGGER nap AFTER INSERT ON "${schema}".runs FOR EACH ROW WHEN (NEW.base IS NOT NULL) EXECUTE FUNCTION "${schema}".nap()`,
  );
  const napping = "SELECT 1 FROM pg_stat_activity WHERE wait_event = 'PgSleep'";
  try {
    for (let round = 0; round < rounds; round += 1) {
      const id = `base-${round}`;
      await forker.checkpoints.save(id, { state: { n: round } });
      const [checkpoint] = await collect(forker.checkpoints.list(id));
      const forking = forker.checkpoints.fork(checkpoint?.id ?? '', { id: `fork-${round}` });
      const forked = Promise.allSettled([forking]);
      while ((await primary.sql(napping)).length === 0) await pause(5);
      await trimmer.checkpoints.delete(id);
      await forked;
    }
    const orphans = `SELECT run FROM "${schema}".runs f WHERE f.base IS NOT NULL AND NOT EXISTS (SELECT 1 FROM "${schema}".runs b WHERE b.key = f.base)`;
    const violations = (await primary.sql<{ run: string }>(orphans)).map(
      ({ run }) => `lost: the base of ${run} was removed`,
    );
    say(`${rounds} forks of a base that was being deleted: ${violations.length} lost it`);
    return { rounds, acknowledged: rounds, supersteps: 0, surplus: 0, violations };
  } finally {
    await forker.close();
    await trimmer.close();
    await pool.end();
  }
};

async function collect<T>(items: AsyncIterable<T>): Promise<readonly T[]> {
  const found: T[] = [];
  for await (const item of items) found.push(item);
  return found;
}
