import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { giveToServer } from '../../../src/testing/postgres/server.ts';
import { onEnd } from '../../faults/runner/clean-up.ts';
import { killServer, tryKill } from '../rig/kill-server.ts';
import type { Machine } from './network.ts';
import { etcdArguments, patroniConfiguration, ports } from './settings.ts';
import { Started } from './started.ts';

interface NodeOptions {
  readonly all: readonly Machine[];
  readonly folder: string;
  readonly bin: string;
  readonly isSynchronous: boolean;
}

/** What Patroni knows of a server of the cluster. */
export interface Member {
  readonly name: string;
  readonly role: string;
  readonly state: string;
}

/** A machine with a member of etcd, a Postgres server and the Patroni that looks after it. */
export class HaNode {
  readonly machine: Machine;
  readonly #options: NodeOptions;
  readonly #folder: string;
  readonly #data: string;
  #etcd: Started | undefined;
  #patroni: Started | undefined;

  constructor(machine: Machine, options: NodeOptions) {
    this.machine = machine;
    this.#options = options;
    this.#folder = join(options.folder, machine.name);
    this.#data = join(this.#folder, 'data');
    // Patroni leaves its server running when it is killed.
    onEnd(() => void this.#pid().then((pid) => pid !== undefined && tryKill(pid)));
  }

  get url(): string {
    return `postgres://postgres@${this.machine.client}:${ports.postgres}/postgres`;
  }

  async create(): Promise<void> {
    const { all, bin, isSynchronous } = this.#options;
    await mkdir(this.#folder, { mode: 0o700 });
    await giveToServer(this.#folder);
    const told = { all, bin, isSynchronous, data: this.#data, folder: this.#folder };
    const path = join(this.#folder, 'patroni.yml');
    await writeFile(path, patroniConfiguration(this.machine, told));
    await giveToServer(path);
  }

  startEtcd(): void {
    const values = etcdArguments(this.machine, this.#options.all, join(this.#folder, 'etcd'));
    this.#etcd = this.#start('etcd', values);
  }

  startPatroni(): void {
    this.#patroni = this.#start('patroni', [join(this.#folder, 'patroni.yml')]);
  }

  async killEtcd(): Promise<void> {
    await this.#etcd?.kill();
  }

  /** Ends the server. Its Patroni, if it lives, finds it dead. */
  async killPostgres(): Promise<void> {
    const pid = await this.#pid();
    if (pid !== undefined) await killServer(pid);
  }

  async killPatroni(): Promise<void> {
    await this.#patroni?.kill();
  }

  /** Ends everything on the machine. */
  async kill(): Promise<void> {
    await Promise.all([this.killEtcd(), this.killPatroni()]);
    await this.killPostgres();
  }

  /** Whether Patroni says that its server is the primary. That is what haproxy asks. */
  async isPrimary(): Promise<boolean> {
    return (await this.#ask(ports.patroni, '/primary'))?.ok === true;
  }

  /** The servers of the cluster, as this machine's Patroni knows them. */
  async members(): Promise<readonly Member[]> {
    const answer = await this.#ask(ports.patroni, '/cluster');
    if (answer?.ok !== true) return [];
    return ((await answer.json()) as { readonly members: readonly Member[] }).members;
  }

  async leadsEtcd(): Promise<boolean> {
    const answer = await this.#ask(ports.etcd, '/v3/maintenance/status', {});
    if (answer?.ok !== true) return false;
    const { header, leader } = (await answer.json()) as { header: { member_id: string }; leader?: string };
    return header.member_id === leader;
  }

  #start(program: string, values: readonly string[]): Started {
    const command = this.machine.command(program, values);
    return new Started(command, this.#folder, join(this.#options.folder, `${this.machine.name}-${program}.log`));
  }

  async #ask(port: number, path: string, body?: object): Promise<Response | undefined> {
    const how = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const signal = AbortSignal.timeout(2_000);
    return fetch(`http://${this.machine.client}:${port}${path}`, { ...how, signal }).catch(() => undefined);
  }

  async #pid(): Promise<number | undefined> {
    const text = await readFile(join(this.#data, 'postmaster.pid'), 'utf8').catch(() => undefined);
    return text === undefined ? undefined : Number(text.split('\n')[0]);
  }
}
