import { randomInt } from 'node:crypto';
import { rmSync } from 'node:fs';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Client } from 'pg';
import { giveToServer } from '../../../src/testing/postgres/server.ts';
import { onEnd } from '../../faults/runner/clean-up.ts';
import type { FleetServers } from '../rig/fleet.ts';
import { HaNode } from './ha-node.ts';
import { postgresBin } from './missing.ts';
import { makeMachines } from './network.ts';
import { haproxyConfiguration } from './settings.ts';
import { Started } from './started.ts';

const lookMs = 100;
/** Ends what hangs, and nothing else. */
const patienceMs = 120_000;

interface ClusterOptions {
  /** Patroni waits for a standby before it acknowledges, and promotes only one that has everything. */
  readonly isSynchronous: boolean;
}

/** Three machines with etcd, Patroni and Postgres each, and haproxy in front of them. */
export class HaCluster implements FleetServers, AsyncDisposable {
  readonly folder: string;
  readonly nodes: readonly HaNode[];
  readonly primary = {
    sql: <T extends object>(text: string, values?: readonly unknown[]) => this.#sql<T>(text, values),
  };
  readonly #options: ClusterOptions;
  readonly #remove: () => void;
  readonly #port = randomInt(10_000, 30_000);
  #haproxy: Started | undefined;

  private constructor(folder: string, options: ClusterOptions) {
    const { machines, remove } = makeMachines();
    const bin = postgresBin() ?? '';
    this.folder = folder;
    this.#options = options;
    this.#remove = remove;
    this.nodes = machines.map((machine) => new HaNode(machine, { ...options, all: machines, folder, bin }));
  }

  static async start(options: ClusterOptions): Promise<HaCluster> {
    const folder = await mkdtemp(join(tmpdir(), 'holdfast-ha-'));
    onEnd(() => rmSync(folder, { recursive: true, force: true }));
    await chmod(folder, 0o755);
    await giveToServer(folder);
    const cluster = new HaCluster(folder, options);
    await Promise.all(cluster.nodes.map((node) => node.create()));
    for (const node of cluster.nodes) node.startEtcd();
    await cluster.etcdLeader();
    for (const node of cluster.nodes) node.startPatroni();
    await cluster.#startHaproxy();
    await cluster.settled();
    return cluster;
  }

  /** The store's address for workers: haproxy's. */
  url(schema: string): string {
    return `postgres://postgres@127.0.0.1:${this.#port}/postgres?schema=${schema}&max=4`;
  }

  /** The machine of the primary, other than this one. Waits until there is one. */
  primaryNode(except?: HaNode): Promise<HaNode> {
    return this.#until('a primary', async () => {
      const others = this.nodes.filter((node) => node !== except);
      const answers = await Promise.all(others.map((node) => node.isPrimary()));
      return others.find((_, at) => answers[at]);
    });
  }

  /** The machine of etcd's leader, other than this one. Waits until there is one. */
  etcdLeader(except?: HaNode): Promise<HaNode> {
    return this.#until('a leader of etcd', async () => {
      const others = this.nodes.filter((node) => node !== except);
      const answers = await Promise.all(others.map((node) => node.leadsEtcd()));
      return others.find((_, at) => answers[at]);
    });
  }

  /** Waits until all three servers run, and one is a synchronous standby where there is to be one. */
  async settled(): Promise<void> {
    await this.#until('three servers that run', async () => {
      const members = await (await this.primaryNode()).members();
      const isWhole =
        members.length === this.nodes.length && members.every(({ state }) => /running|streaming/u.test(state));
      const hasStandby = members.some(({ role }) => role === 'sync_standby') || !this.#options.isSynchronous;
      return isWhole && hasStandby && members.some(({ role }) => role === 'leader') ? true : undefined;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#haproxy?.kill();
    for (const node of this.nodes) await node.kill();
    this.#remove();
    await rm(this.folder, { recursive: true, force: true });
  }

  async #startHaproxy(): Promise<void> {
    const path = join(this.folder, 'haproxy.cfg');
    const machines = this.nodes.map(({ machine }) => machine);
    await writeFile(path, haproxyConfiguration(this.#port, machines));
    this.#haproxy = new Started(['haproxy', '-f', path], this.folder, join(this.folder, 'haproxy.log'));
  }

  /** Reads something. It may be asked again when the server changes. */
  async #sql<T extends object>(text: string, values: readonly unknown[] = []): Promise<readonly T[]> {
    return this.#until('an answer of the primary', async () => {
      const client = new Client({ connectionString: this.url('').replace(/\?.*/u, ''), query_timeout: 10_000 });
      client.on('error', () => undefined);
      try {
        await client.connect();
        return (await client.query<T>(text, [...values])).rows;
      } catch {
        return undefined;
      } finally {
        await client.end().catch(() => undefined);
      }
    });
  }

  async #until<T>(what: string, look: () => Promise<T | undefined>): Promise<T> {
    const until = performance.now() + patienceMs;
    while (performance.now() < until) {
      const found = await look();
      if (found !== undefined) return found;
      await new Promise((resolve) => setTimeout(resolve, lookMs));
    }
    throw new Error(
      `The cluster has not had ${what} for ${patienceMs / 1_000} seconds; its logs are in ${this.folder}.`,
    );
  }
}
