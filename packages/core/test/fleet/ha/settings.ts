// What the programs of the cluster are told, as people run them; only the times are short.
import type { Machine } from './network.ts';

/** The ports of a machine. Each machine has addresses of its own. */
export const ports = { postgres: 5432, patroni: 8008, etcd: 2379, etcdPeers: 2380 } as const;

/** The arguments of an etcd member. */
export function etcdArguments(machine: Machine, all: readonly Machine[], data: string): readonly string[] {
  const { name, peer, client } = machine;
  const clients = [...new Set([peer, client])].map((address) => `http://${address}:${ports.etcd}`).join(',');
  const members = all.map((each) => `${each.name}=http://${each.peer}:${ports.etcdPeers}`).join(',');
  return [
    `--name=${name}`,
    `--data-dir=${data}`,
    `--listen-peer-urls=http://${peer}:${ports.etcdPeers}`,
    `--initial-advertise-peer-urls=http://${peer}:${ports.etcdPeers}`,
    `--listen-client-urls=${clients}`,
    `--advertise-client-urls=http://${peer}:${ports.etcd}`,
    `--initial-cluster=${members}`,
    '--initial-cluster-state=new',
    // Ten times the default would still notice a dead leader within the time that Patroni gives its own.
    '--heartbeat-interval=200',
    '--election-timeout=2000',
    '--pre-vote',
    '--logger=zap',
  ];
}

interface PatroniOptions {
  readonly all: readonly Machine[];
  readonly data: string;
  readonly folder: string;
  readonly bin: string;
  readonly isSynchronous: boolean;
}

/** The configuration of Patroni. It is JSON, which is YAML. */
export function patroniConfiguration(machine: Machine, options: PatroniOptions): string {
  const { all, data, folder, bin, isSynchronous } = options;
  const { name, peer, client } = machine;
  const listen = [...new Set([peer, client])].join(',');
  const trust = ['local all all trust', 'host all all 0.0.0.0/0 trust', 'host replication all 0.0.0.0/0 trust'];
  return JSON.stringify({
    scope: 'holdfast',
    name,
    // Reachable from both networks; it answers on whichever it was asked.
    restapi: {
      listen: `${peer === client ? peer : '0.0.0.0'}:${ports.patroni}`,
      connect_address: `${peer}:${ports.patroni}`,
    },
    etcd3: { hosts: all.map((each) => `${each.peer}:${ports.etcd}`) },
    bootstrap: {
      dcs: {
        ttl: 8,
        loop_wait: 1,
        retry_timeout: 3,
        maximum_lag_on_failover: 2 ** 30,
        synchronous_mode: isSynchronous,
        postgresql: {
          use_pg_rewind: true,
          use_slots: true,
          parameters: {
            // Only processes die here, never the machine: nothing has to reach the disk.
            fsync: 'off',
            max_connections: 400,
            max_wal_senders: 8,
            wal_keep_size: '256MB',
            wal_log_hints: 'on',
            wal_receiver_timeout: '5s',
            wal_sender_timeout: '5s',
            deadlock_timeout: '100ms',
          },
        },
      },
      initdb: [{ encoding: 'UTF8' }, { locale: 'C' }, 'data-checksums', 'no-sync'],
    },
    postgresql: {
      listen: `${listen}:${ports.postgres}`,
      connect_address: `${peer}:${ports.postgres}`,
      data_dir: data,
      bin_dir: bin,
      pgpass: `${data}.pgpass`,
      pg_hba: trust,
      authentication: { superuser: { username: 'postgres' }, replication: { username: 'replicator' } },
      parameters: { unix_socket_directories: folder },
      remove_data_directory_on_rewind_failure: true,
      remove_data_directory_on_diverged_timelines: true,
      basebackup: [{ checkpoint: 'fast' }, 'no-sync'],
    },
    watchdog: { mode: 'off' },
  });
}

/** The configuration of haproxy: connections go to the server that Patroni calls the primary, and end when it is not one. */
export function haproxyConfiguration(port: number, all: readonly Machine[]): string {
  const servers = all.map(
    ({ name, client }) => `  server ${name} ${client}:${ports.postgres} check port ${ports.patroni}`,
  );
  return [
    'global',
    '  maxconn 2000',
    'defaults',
    '  mode tcp',
    '  timeout connect 2s',
    '  timeout client 30m',
    '  timeout server 30m',
    '  timeout check 2s',
    'listen primary',
    `  bind 127.0.0.1:${port}`,
    '  option httpchk GET /primary',
    '  http-check expect status 200',
    '  default-server inter 500ms fall 3 rise 1 on-marked-down shutdown-sessions',
    ...servers,
    '',
  ].join('\n');
}
