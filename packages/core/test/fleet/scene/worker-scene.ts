// Workers that die, and workers that stand still for longer than their lease and then go on.
import { judge } from '../judge/judge.ts';
import { Cluster } from '../rig/cluster.ts';
import { Fleet, machineMs, pause } from '../rig/fleet.ts';
import type { WorkerProcess } from '../worker/worker-process.ts';
import type { Scene } from './scene.ts';

/** As by default: on a busy machine, a shorter one ends by itself. */
const leaseMs = 5_000;

/** Kills one process, and starts another. */
async function kill(fleet: Fleet, victim: WorkerProcess): Promise<void> {
  fleet.processes = fleet.processes.filter((each) => each !== victim);
  await victim.end('SIGKILL');
  fleet.excuses.push({ from: machineMs(), to: machineMs(), lives: [victim.life] });
  await fleet.addProcess();
}

/** Stops one process until others have what it leased, and lets it go on. */
async function stop(fleet: Fleet, victim: WorkerProcess): Promise<void> {
  const leased = `SELECT count(*)::int AS count FROM "${fleet.options.schema}".runs WHERE worker LIKE $1`;
  const from = machineMs();
  victim.signal('SIGSTOP');
  try {
    while (((await fleet.cluster.primary.sql<{ count: number }>(leased, [`w-${victim.life}-%`]))[0]?.count ?? 0) > 0)
      await pause();
  } finally {
    fleet.excuses.push({ from, to: machineMs(), lives: [victim.life] });
    victim.signal('SIGCONT');
  }
}

/** kill -9 of worker processes, and SIGSTOP past the lease. */
export const workerScene: Scene = async ({ rounds, processes, workers, mutant, say }) => {
  await using cluster = await Cluster.start({ standby: false });
  const fleet = await Fleet.start(cluster, {
    schema: 'workers',
    processes,
    workers,
    leaseMs,
    mayExpire: true,
    length: 30,
    crowd: 80,
    mutant,
  });
  try {
    for (let round = 0; round < rounds; round += 1) {
      // It has something to lose.
      const victim = await fleet.progress(40);
      await (round % 2 === 0 ? stop : kill)(fleet, victim);
      say(`life ${victim.life} was ${round % 2 === 0 ? 'stopped past its lease' : 'killed'}`);
      await fleet.progress(20);
    }
    return { rounds, ...judge(await fleet.finish()) };
  } finally {
    await fleet.abandon();
  }
};
