import type { StoreUrl } from 'holdfast';
import { Cluster } from '../../../packages/core/test/fleet/rig/cluster.ts';

/** A durable server for a benchmark. Clients are measured directly, or counted behind its proxy. */
export interface BenchServer {
  /** The address of a store in this schema. */
  readonly url: (schema: string) => StoreUrl;
  readonly proxied: (schema: string) => StoreUrl;
  readonly cluster: Cluster;
}

/** Where the servers' data is: a folder that every user can enter, on a disk. */
const under = '/var/tmp';

/** Starts a server for the benchmark, and ends it. */
export async function withServer<T>(
  body: (server: BenchServer) => Promise<T>,
  { fsync = true }: { readonly fsync?: boolean } = {},
): Promise<T> {
  await using cluster = await Cluster.start({ standby: false, fsync, under });
  // Awaited: the server ends when this returns.
  return await body({
    cluster,
    url: (schema) => urlAt(cluster.primary.port, schema),
    proxied: (schema) => urlAt(cluster.proxies[0]?.port ?? 0, schema),
  });
}

function urlAt(port: number, schema: string): StoreUrl {
  return `postgres://postgres@127.0.0.1:${port}/postgres?schema=${schema}`;
}
