// Sessions are lost, and no worker is told: whoever goes on committing keeps its runs.
import { judge } from '../judge/judge.ts';
import { Cluster } from '../rig/cluster.ts';
import { Fleet, machineMs, pause } from '../rig/fleet.ts';
import type { Scene } from './scene.ts';

/** Long: only a lock tells of a death. */
const leaseMs = 30_000;
/** What the connection that is kept has sent last. */
const kept = /^LISTEN|pg_try_advisory_lock|pg_advisory_unlock/u;

/** A few workers, so that each commits often, with room for runs of the dead. */
export const silenceScene: Scene = async ({ rounds, mutant, say }) => {
  await using cluster = await Cluster.start({ standby: false });
  const size = { processes: 2, workers: 3, leaseMs, mayExpire: false };
  const fleet = await Fleet.start(cluster, { schema: 'silence', ...size, length: 60, crowd: 16, mutant });
  const locksLostAt: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      await fleet.progress(100);
      await locked(cluster, size.processes * size.workers);
      locksLostAt.push(machineMs());
      const sessions = cluster.proxies.reduce((sum, proxy) => sum + proxy.forget(kept), 0);
      await fleet.progress(200);
      say(`${sessions} sessions were lost in silence`);
      // Now the workers are told, and have locks again.
      for (const proxy of cluster.proxies) proxy.cutForgotten();
    }
    return { rounds, ...judge({ ...(await fleet.finish()), locksLostAt }) };
  } finally {
    await fleet.abandon();
  }
};

/** Waits until each worker has its lock. */
async function locked(cluster: Cluster, count: number): Promise<void> {
  const locks = "SELECT count(*)::int AS count FROM pg_locks WHERE locktype = 'advisory' AND objsubid = 1 AND granted";
  while (((await cluster.primary.sql<{ count: number }>(locks))[0]?.count ?? 0) < count) await pause(100);
}
