import { judge } from '../judge/judge.ts';
import { Fleet, machineMs } from '../rig/fleet.ts';
import type { Scene } from '../scene/scene.ts';
import { HaCluster } from './ha-cluster.ts';

/** Long, so that a failover is over in time; one that takes too long all the same is an excuse. */
const leaseMs = 60_000;
/** What was lost may keep a run from its end. */
const mutantPatienceMs = 20_000;
/** A mutant of the cluster. The others are the workers'. */
export const asynchronous = 'replication is asynchronous';

/** Breaks something, and gives back how to mend it. It resolves when there is a primary again. */
export type HaTrouble = (cluster: HaCluster) => Promise<() => Promise<void> | void>;

/** A scene with a fleet on a whole cluster, and these troubles in turn. */
export function haScene(schema: string, troubles: readonly (readonly [name: string, trouble: HaTrouble])[]): Scene {
  return async ({ rounds, processes, workers, mutant, say }) => {
    await using cluster = await HaCluster.start({ isSynchronous: mutant !== asynchronous });
    const fleet = await Fleet.start(cluster, {
      schema,
      processes,
      workers,
      leaseMs,
      mayExpire: false,
      length: 30,
      crowd: 80,
      mutant: mutant === asynchronous ? undefined : mutant,
    });
    const silences: number[] = [];
    try {
      for (let round = 0; round < rounds; round += 1) {
        const [name, trouble] = troubles[round % troubles.length] as (typeof troubles)[number];
        await fleet.progress(100);
        await cluster.settled();
        const from = machineMs();
        const mend = await trouble(cluster);
        await fleet.progress(100);
        await mend();
        const silenceMs = fleet.longestSilence(from);
        silences.push(silenceMs);
        if (silenceMs > leaseMs / 3)
          fleet.excuses.push({ from, to: machineMs(), lives: fleet.processes.map(({ life }) => life) });
        say(`${name}: nothing is acknowledged for ${Math.round(silenceMs)} ms at most`);
      }
      const median = silences.toSorted((a, b) => a - b)[silences.length >> 1] ?? 0;
      const note = `without an acknowledgement for ${Math.round(median)} ms (median), at most ${Math.round(Math.max(...silences))} ms`;
      const verdict = judge(await fleet.finish(mutant === undefined ? undefined : mutantPatienceMs));
      if (mutant === undefined && verdict.violations.length > 0) say(`logs and ledgers: ${cluster.keepLogs()}`);
      return { rounds, note, ...verdict };
    } finally {
      await fleet.abandon();
    }
  };
}
