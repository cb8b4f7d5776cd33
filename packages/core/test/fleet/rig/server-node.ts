import { execFile } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { giveToServer, serverUser } from '../../../src/testing/postgres/server.ts';
import { onEnd } from '../../faults/runner/clean-up.ts';
import { killServer, tryKill } from './kill-server.ts';

const execute = promisify(execFile);

/** As in production. */
const settings = [
  'synchronous_commit=on',
  'max_connections=400',
  'deadlock_timeout=100ms',
  'hot_standby=on',
  'wal_level=replica',
  'max_wal_senders=8',
];

interface NodeOptions {
  readonly name: string;
  /** Holds `native`, the binaries. */
  readonly folder: string;
  /** False where only processes die, never the machine: nothing has to reach the disk. */
  readonly fsync: boolean;
}

/** One Postgres server of a test, on a port that it keeps. */
export class ServerNode {
  /** Below those that the system gives to clients: a server that is started again needs its port. */
  readonly port: number = randomInt(10_000, 30_000);
  readonly name: string;
  readonly #folder: string;
  readonly #data: string;
  readonly #fsync: boolean;

  constructor({ name, folder, fsync }: NodeOptions) {
    this.name = name;
    this.#folder = folder;
    this.#data = join(folder, name);
    this.#fsync = fsync;
    onEnd(() => void this.#signal('SIGKILL'));
  }

  get url(): string {
    return `postgres://postgres@127.0.0.1:${this.port}/postgres`;
  }

  /** Makes a new, empty server. */
  async create(): Promise<void> {
    await this.#emptyData();
    await this.#run(
      'initdb',
      '-D',
      this.#data,
      '-U',
      'postgres',
      '--auth=trust',
      '--locale=C',
      '-E',
      'UTF8',
      '--no-sync',
    );
  }

  async start(): Promise<void> {
    const options = [
      '-p',
      String(this.port),
      '-k',
      this.#folder,
      '-h',
      '127.0.0.1',
      ...[...settings, `fsync=${this.#fsync ? 'on' : 'off'}`].flatMap((each) => ['-c', each]),
    ];
    await rm(join(this.#data, 'postmaster.pid'), { force: true });
    const log = join(this.#folder, `${this.name}.log`);
    await this.#run('pg_ctl', 'start', '-w', '-t', '120', '-D', this.#data, '-l', log, '-o', options.join(' '));
  }

  /** Ends all processes of the server at once, as a crash of the machine would. */
  async kill(): Promise<void> {
    const pid = await this.#pid();
    if (pid !== undefined) await killServer(pid);
  }

  /** A copy of a running server that follows it. */
  async follow(primary: ServerNode): Promise<void> {
    await this.#emptyData();
    const client = new Client({ connectionString: primary.url });
    await client.connect();
    try {
      await client.query("SELECT pg_backup_start('copy', true)");
      await execute('cp', ['-a', `${primary.#data}/.`, this.#data]);
      const { rows } = await client.query<{ labelfile: string }>('SELECT labelfile FROM pg_backup_stop(false)');
      await writeFile(join(this.#data, 'backup_label'), rows[0]?.labelfile ?? '');
    } finally {
      await client.end();
    }
    for (const each of ['postmaster.pid', 'postgresql.auto.conf']) await rm(join(this.#data, each), { force: true });
    const source = `host=127.0.0.1 port=${primary.port} user=postgres application_name=${this.name}`;
    await writeFile(join(this.#data, 'postgresql.auto.conf'), `primary_conninfo = '${source}'\n`);
    await writeFile(join(this.#data, 'standby.signal'), '');
    for (const each of ['backup_label', 'postgresql.auto.conf', 'standby.signal'])
      await giveToServer(join(this.#data, each));
    await this.start();
  }

  async promote(): Promise<void> {
    await this.#run('pg_ctl', 'promote', '-w', '-D', this.#data);
  }

  /** What the server has logged of this. */
  async logged(pattern: RegExp): Promise<readonly string[]> {
    const log = await readFile(join(this.#folder, `${this.name}.log`), 'utf8');
    return log.split('\n').filter((line) => pattern.test(line));
  }

  /** Executes a statement in a connection of its own. */
  async sql<T extends object>(text: string, values: readonly unknown[] = []): Promise<readonly T[]> {
    const client = new Client({ connectionString: this.url });
    client.on('error', () => undefined);
    await client.connect();
    try {
      return (await client.query<T>(text, [...values])).rows;
    } finally {
      await client.end();
    }
  }

  async #emptyData(): Promise<void> {
    await rm(this.#data, { recursive: true, force: true });
    await mkdir(this.#data, { mode: 0o700 });
    await giveToServer(this.#data);
  }

  async #pid(): Promise<number | undefined> {
    const text = await readFile(join(this.#data, 'postmaster.pid'), 'utf8').catch(() => undefined);
    return text === undefined ? undefined : Number(text.split('\n')[0]);
  }

  async #signal(signal: NodeJS.Signals): Promise<void> {
    const pid = await this.#pid();
    if (pid !== undefined) tryKill(pid, signal);
  }

  #run(program: string, ...values: readonly string[]): Promise<unknown> {
    return execute(join(this.#folder, 'native', 'bin', program), values, { ...serverUser, cwd: this.#folder });
  }
}
