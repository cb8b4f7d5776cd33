import { cutScene } from './scene/cut-scene.ts';
import { failoverScene } from './scene/failover-scene.ts';
import { hintScene } from './scene/hint-scene.ts';
import { forkScene, groupScene } from './scene/lock-scene.ts';
import { resumeScene } from './scene/resume-scene.ts';
import type { Scene } from './scene/scene.ts';
import { serverScene } from './scene/server-scene.ts';
import { silenceScene } from './scene/silence-scene.ts';
import { workerScene } from './scene/worker-scene.ts';

/** A scene, and how much of it is played in `npm run test:fleet`. */
export interface Job {
  readonly scene: Scene;
  readonly does: string;
  readonly rounds: number;
  /** Broken variants that it must find, each with the rounds that it has for it. */
  readonly mutants: Readonly<Record<string, number>>;
}

/** What is done to the fleet. */
export const jobs: Readonly<Record<string, Job>> = {
  server: {
    scene: serverScene,
    does: 'pg_terminate_backend, cut connections, kill -9 and restart of the server',
    rounds: 24,
    mutants: { 'leases end by the local clock': 4 },
  },
  workers: {
    scene: workerScene,
    does: 'kill -9 of worker processes, SIGSTOP past the lease',
    rounds: 16,
    mutants: { 'the fence is not checked': 6 },
  },
  failover: { scene: failoverScene, does: 'failover to a synchronous standby', rounds: 20, mutants: {} },
  resumes: { scene: resumeScene, does: '1,000 resumes and 1,000 claims of one run at once', rounds: 5, mutants: {} },
  groups: {
    scene: groupScene,
    does: 'two engines commit groups of the same 64 runs',
    rounds: 10,
    mutants: { 'a group is not sorted': 10 },
  },
  forks: {
    scene: forkScene,
    does: 'a base is deleted while a fork of it is in flight',
    rounds: 20,
    mutants: { 'forks are looked for before the lock': 3 },
  },
  hints: {
    scene: hintScene,
    does: 'the connections that listen are cut all the time, then stay and every notification is lost',
    rounds: 8,
    mutants: { 'hints are relied on': 4 },
  },
  silence: {
    scene: silenceScene,
    does: 'the sessions that have the locks are lost, and no worker is told',
    rounds: 6,
    mutants: { 'a lost session lock is taken for death': 6 },
  },
  cuts: {
    scene: cutScene,
    does: 'the connection is cut at every message of every kind of write, and every statement comes late',
    rounds: 1,
    mutants: {
      'repeats a commit without looking': 1,
      'settles a doubt by reading only': 1,
      'takes every doubt for a commit': 1,
    },
  },
};
