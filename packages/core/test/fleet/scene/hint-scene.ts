// Hints are lost, with the connections that listen or without a sign: what is submitted meanwhile is started all the same.
import { judge } from '../judge/judge.ts';
import { Cluster } from '../rig/cluster.ts';
import { Fleet, pause } from '../rig/fleet.ts';
import type { Scene } from './scene.ts';

const cutListeners = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name = 'holdfast' AND query ~ 'LISTEN|advisory|pg_notify'`;
const leaseMs = 3_000;

/** A notification of the server: a hint from another process. */
const notification = 'A';

/** Polling is the backstop. At first the connections that listen are cut; then they stay, and no hint arrives. */
export const hintScene: Scene = async ({ rounds, processes, workers, mutant, say }) => {
  await using cluster = await Cluster.start({ standby: false });
  const fleet = await Fleet.start(cluster, {
    schema: 'hints',
    processes,
    workers,
    leaseMs,
    mayExpire: true,
    length: 3,
    crowd: 4,
    mutant,
  });
  try {
    for (let round = 0; round < rounds; round += 1) {
      await pause(250);
      await cluster.primary.sql(cutListeners);
    }
    // Whoever listens from now on hears nothing: not even that others have what it looks for.
    for (const proxy of cluster.proxies) proxy.fateOf = ({ type }) => (type === notification ? 'drop' : 'pass');
    await fleet.settle();
    for (let round = 0; round < rounds; round += 1) {
      // Whoever has a hint left asks, and has none.
      await pause(leaseMs);
      await fleet.submit();
      if (!(await fleet.settle())) break;
    }
    const evidence = await fleet.finish();
    const verdict = judge(evidence);
    const stuck = verdict.violations.filter((each) => each.startsWith('stuck'));
    say(`${evidence.ends.length} runs without hints: ${stuck.length} stuck`);
    return { rounds, ...verdict };
  } finally {
    await fleet.abandon();
  }
};
