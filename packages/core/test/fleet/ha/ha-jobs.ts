import type { Job } from '../jobs.ts';
import { settlesByReading } from '../worker/mutants.ts';
import { asynchronous, haScene } from './ha-scene.ts';
import { cutOff, killEtcdLeader, killMachine, killPatroni, killPostgres, splitOff } from './troubles.ts';

/** What is done to the cluster. */
export const haJobs: Readonly<Record<string, Job>> = {
  primary: {
    scene: haScene('primary', [
      ['Postgres and its Patroni killed', killPatroni],
      ['Postgres killed', killPostgres],
      ['the machine of the primary killed', killMachine],
    ]),
    does: 'the primary killed: Postgres with its Patroni, Postgres alone, everything on its machine',
    rounds: 6,
    mutants: {},
  },
  etcd: {
    scene: haScene('etcd', [['the leader of etcd killed', killEtcdLeader]]),
    does: 'the leader of etcd killed',
    rounds: 4,
    mutants: {},
  },
};

/** What needs network namespaces. */
export const partitionJobs: Readonly<Record<string, Job>> = {
  'cut off': {
    scene: haScene('cut_off', [['the primary cut off from everyone', cutOff]]),
    does: 'the primary cut off from everyone',
    rounds: 3,
    mutants: {},
  },
  'split off': {
    scene: haScene('split_off', [['the primary cut off from its standbys and etcd', splitOff]]),
    does: 'the primary cut off from its standbys and etcd, but not from the workers; who waits for a standby is thrown out',
    rounds: 3,
    mutants: { [asynchronous]: 1, [settlesByReading]: 2 },
  },
};
