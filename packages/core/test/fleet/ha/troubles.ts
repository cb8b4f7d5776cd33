import { Client } from 'pg';
import type { HaNode } from './ha-node.ts';
import type { HaTrouble } from './ha-scene.ts';

const pauseMs = 300;

/** Only the server: Patroni starts it again where it was. */
export const killPostgres: HaTrouble = async (cluster) => {
  const node = await cluster.primaryNode();
  await node.killPostgres();
  await cluster.primaryNode();
  return () => undefined;
};

/** The server and its Patroni. The machine stays a member of etcd. */
export const killPatroni: HaTrouble = async (cluster) => {
  const node = await cluster.primaryNode();
  await node.killPatroni();
  await node.killPostgres();
  await cluster.primaryNode(node);
  return () => node.startPatroni();
};

/** Everything on the machine. */
export const killMachine: HaTrouble = async (cluster) => {
  const node = await cluster.primaryNode();
  await node.kill();
  await cluster.primaryNode(node);
  return () => {
    node.startEtcd();
    node.startPatroni();
  };
};

/** The leader of etcd, on whichever machine it is. */
export const killEtcdLeader: HaTrouble = async (cluster) => {
  const node = await cluster.etcdLeader();
  await node.killEtcd();
  await cluster.etcdLeader(node);
  await cluster.primaryNode();
  return () => node.startEtcd();
};

/** Nobody reaches the primary, and it reaches nobody. */
export const cutOff: HaTrouble = async (cluster) => {
  const node = await cluster.primaryNode();
  node.machine.cut('everyone');
  await cluster.primaryNode(node);
  return () => node.machine.mend();
};

/**
 * The primary has lost its standbys and etcd, and does not know it yet: clients reach it, and it takes what they send. Whoever
 * waits for a standby is thrown out meanwhile, as an impatient operator would: from then on its server shows the commit, which
 * no standby has.
 */
export const splitOff: HaTrouble = async (cluster) => {
  const node = await cluster.primaryNode();
  node.machine.cut('peers');
  let isOver = false;
  const throwingOut = (async () => {
    for (; !isOver; await new Promise((resolve) => setTimeout(resolve, pauseMs))) await throwOutWaiting(node);
  })();
  try {
    await cluster.primaryNode(node);
  } finally {
    isOver = true;
    await throwingOut;
  }
  return () => node.machine.mend();
};

async function throwOutWaiting({ url }: HaNode): Promise<void> {
  const client = new Client({ connectionString: url, connectionTimeoutMillis: 1_000, query_timeout: 1_000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE wait_event = 'SyncRep'");
  } catch {
    // It has stopped to be a primary.
  } finally {
    await client.end().catch(() => undefined);
  }
}
