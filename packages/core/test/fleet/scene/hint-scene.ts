// The connections that listen are cut again and again: what is submitted meanwhile is started all the same.
import { judge } from '../judge/judge.ts';
import { Cluster } from '../rig/cluster.ts';
import { Fleet, pause } from '../rig/fleet.ts';
import type { Scene } from './scene.ts';

const cutListeners = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
  WHERE application_name = 'holdfast' AND (query LIKE 'LISTEN %' OR query LIKE '%pg_notify%')`;
/** A run that nobody looks for is not found later, either. */
const stuckAfterMs = 30_000;

/** Polling is the backstop. */
export const hintScene: Scene = async ({ rounds, processes, workers, mutant, say }) => {
  await using cluster = await Cluster.start({ standby: false });
  const fleet = await Fleet.start(cluster, {
    schema: 'hints',
    processes,
    workers,
    leaseMs: 3_000,
    mayExpire: true,
    length: 3,
    crowd: 4,
    mutant,
  });
  let isOver = false;
  const cutting = (async () => {
    for (; !isOver; await pause(250)) await cluster.primary.sql(cutListeners);
  })();
  try {
    await pause(rounds * 500);
    const evidence = await fleet.finish(mutant === undefined ? undefined : stuckAfterMs);
    const violations = judge({ ...evidence, excuses: [] }).violations.filter((each) => each.startsWith('stuck'));
    say(`${evidence.ends.length} runs without hints: ${violations.length} stuck`);
    return { rounds, ...judge(evidence), violations };
  } finally {
    isOver = true;
    await cutting.catch(() => undefined);
    await fleet.abandon();
  }
};
