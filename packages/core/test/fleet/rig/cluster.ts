import { rmSync } from 'node:fs';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PostgresProxy } from '../../../src/testing/postgres/proxy/proxy.ts';
import { copyBinaries, giveToServer } from '../../../src/testing/postgres/server.ts';
import { onEnd } from '../../faults/runner/clean-up.ts';
import { ServerNode } from './server-node.ts';

interface ClusterOptions {
  readonly standby: boolean;
  /** Default: no. */
  readonly fsync?: boolean;
  /** Default: the folder for temporary files, which may be in memory. */
  readonly under?: string;
}

/** A primary, on request with a synchronous standby, each behind a proxy that keeps its port. */
export class Cluster implements AsyncDisposable {
  readonly folder: string;
  readonly proxies: readonly PostgresProxy[];
  readonly #nodes: readonly ServerNode[];
  #primary: ServerNode;

  private constructor(folder: string, nodes: readonly ServerNode[], proxies: readonly PostgresProxy[]) {
    this.folder = folder;
    this.#nodes = nodes;
    this.proxies = proxies;
    this.#primary = nodes[0] as ServerNode;
  }

  static async start({ standby, fsync = false, under = tmpdir() }: ClusterOptions): Promise<Cluster> {
    const folder = await mkdtemp(join(under, 'holdfast-fleet-'));
    onEnd(() => rmSync(folder, { recursive: true, force: true }));
    await chmod(folder, 0o755);
    await giveToServer(folder);
    await copyBinaries(join(folder, 'native'));
    const nodes = (standby ? ['a', 'b'] : ['a']).map((name) => new ServerNode({ name, folder, fsync }));
    const proxies = await Promise.all(
      nodes.map(({ port }) => PostgresProxy.start(() => ({ host: '127.0.0.1', port }))),
    );
    const cluster = new Cluster(folder, nodes, proxies);
    await cluster.primary.create();
    await cluster.primary.start();
    if (standby) await cluster.addStandby();
    return cluster;
  }

  get primary(): ServerNode {
    return this.#primary;
  }

  get standbys(): readonly ServerNode[] {
    return this.#nodes.filter((node) => node !== this.#primary);
  }

  /** The store's address for workers: through the proxies, whichever server is the primary. */
  url(schema: string): string {
    const hosts = this.proxies.map(({ port }) => `127.0.0.1:${port}`).join(',');
    return `postgres://postgres@${hosts}/postgres?schema=${schema}&max=4`;
  }

  /** Kills the server, and starts it again. */
  async restart(): Promise<void> {
    await this.#primary.kill();
    await this.#primary.start();
  }

  /** Makes a standby of the other server. From then on a commit is acknowledged when that has it. */
  async addStandby(): Promise<void> {
    const [other] = this.standbys as [ServerNode];
    await this.#primary.sql("ALTER SYSTEM SET synchronous_standby_names = ''");
    await this.#primary.sql('SELECT pg_reload_conf()');
    await other.follow(this.#primary);
    await this.#primary.sql("ALTER SYSTEM SET synchronous_standby_names = '*'");
    await this.#primary.sql('SELECT pg_reload_conf()');
    // It must have all that was acknowledged without it.
    const [{ lsn } = { lsn: '' }] = await this.#primary.sql<{ lsn: string }>(
      'SELECT pg_current_wal_lsn()::text AS lsn',
    );
    const isThere =
      "SELECT 1 FROM pg_stat_replication WHERE sync_state IN ('sync', 'quorum') AND flush_lsn >= $1::pg_lsn";
    while ((await this.#primary.sql(isThere, [lsn])).length === 0)
      await new Promise((resolve) => setTimeout(resolve, 20));
  }

  /** The primary dies, and the standby takes its place. It acknowledges alone until it has a standby itself. */
  async failOver(): Promise<void> {
    const [standby] = this.standbys as [ServerNode];
    await this.#primary.kill();
    await standby.promote();
    this.#primary = standby;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const proxy of this.proxies) await proxy.close();
    for (const node of this.#nodes) await node.kill();
    await rm(this.folder, { recursive: true, force: true });
  }
}
