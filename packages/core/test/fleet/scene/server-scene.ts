// Trouble with the server that is over within a lease: nobody may lose a run by it.
import { judge } from '../judge/judge.ts';
import { Cluster } from '../rig/cluster.ts';
import { Fleet, machineMs } from '../rig/fleet.ts';
import type { Scene } from './scene.ts';

/** Long, so that a busy machine is back in time; an outage that takes too long all the same is an excuse. */
const leaseMs = 30_000;

type Trouble = (cluster: Cluster, random: () => number) => Promise<void>;

const terminate: Trouble = async ({ primary }) => {
  await primary.sql(
    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name = 'holdfast' AND random() < 0.5",
  );
};
const cutAll: Trouble = async ({ proxies }) => {
  for (const proxy of proxies) proxy.cutAll();
};
/** Cuts connections in the middle of what they are doing, at any message. */
const cutSome: Trouble = async ({ proxies }, random) => {
  await Promise.all(
    proxies.map(
      (proxy) =>
        new Promise<void>((resolve) => {
          let left = 20;
          proxy.fateOf = () => {
            if (random() > 0.02) return 'pass';
            left -= 1;
            if (left > 0) return 'cut-after';
            proxy.fateOf = () => 'pass';
            resolve();
            return 'cut-before';
          };
        }),
    ),
  );
};
const restart: Trouble = (cluster) => cluster.restart();

const troubles: readonly (readonly [name: string, trouble: Trouble])[] = [
  ['pg_terminate_backend', terminate],
  ['every connection cut', cutAll],
  ['connections cut at messages', cutSome],
  ['kill -9 and restart of the server', restart],
];

/** Terminated backends, cut connections, killed and restarted servers. */
export const serverScene: Scene = async ({ rounds, processes, workers, random, mutant, say }) => {
  await using cluster = await Cluster.start({ standby: false });
  const fleet = await Fleet.start(cluster, {
    schema: 'server',
    processes,
    workers,
    leaseMs,
    mayExpire: false,
    length: 30,
    crowd: 80,
    mutant,
  });
  try {
    for (let round = 0; round < rounds; round += 1) {
      const [name, trouble] = troubles[round % troubles.length] as (typeof troubles)[number];
      await fleet.progress(100);
      const at = machineMs();
      await trouble(cluster, random);
      await fleet.progress(1);
      const tookMs = machineMs() - at;
      if (tookMs > leaseMs / 3)
        fleet.excuses.push({ from: at, to: at + tookMs, lives: fleet.processes.map(({ life }) => life) });
      say(`${name}: goes on after ${Math.round(tookMs)} ms`);
    }
    return { rounds, ...judge(await fleet.finish()) };
  } finally {
    await fleet.abandon();
  }
};
