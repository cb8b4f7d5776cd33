// The primary dies, and its synchronous standby takes its place, again and again.
import { judge } from '../judge/judge.ts';
import { Cluster } from '../rig/cluster.ts';
import { Fleet, machineMs } from '../rig/fleet.ts';
import type { Scene } from './scene.ts';

const leaseMs = 20_000;

/** Failovers to a synchronous standby. */
export const failoverScene: Scene = async ({ rounds, processes, workers, mutant, say }) => {
  await using cluster = await Cluster.start({ standby: true });
  const fleet = await Fleet.start(cluster, {
    schema: 'failover',
    processes,
    workers,
    leaseMs,
    mayExpire: false,
    length: 30,
    crowd: 80,
    mutant,
  });
  const outages: number[] = [];
  try {
    for (let round = 0; round < rounds; round += 1) {
      await fleet.progress(100);
      const at = machineMs();
      await cluster.failOver();
      await fleet.progress(1);
      const tookMs = machineMs() - at;
      outages.push(tookMs);
      // From then on every commit waits for the new standby.
      await cluster.addStandby();
      await fleet.progress(1);
      if (fleet.longestSilence(at) > leaseMs / 3)
        fleet.excuses.push({ from: at, to: machineMs(), lives: fleet.processes.map(({ life }) => life) });
      say(`failover ${round + 1}: goes on after ${Math.round(tookMs)} ms`);
    }
    const median = outages.toSorted((a, b) => a - b)[outages.length >> 1] ?? 0;
    const note = `kill of the primary to the next super-step: median ${Math.round(median)} ms, at most ${Math.round(Math.max(...outages))} ms`;
    return { rounds, note, ...judge(await fleet.finish()) };
  } finally {
    await fleet.abandon();
  }
};
