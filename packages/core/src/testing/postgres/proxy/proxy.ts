import { once } from 'node:events';
import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import { type Address, type Fate, type Passing, ProxiedConnection } from './proxied-connection.ts';

/**
 * Stands between clients and a Postgres server. It knows where each message of the protocol begins, so it can count round
 * trips, break a connection at any boundary, and let a statement arrive after its connection broke.
 */
export class PostgresProxy {
  /** Decides what becomes of each message. */
  fateOf: (passing: Passing) => Fate = () => 'pass';
  /** The statement of each round trip; undefined while a client logs in. */
  readonly trips: (string | undefined)[] = [];
  readonly #server: Server;
  readonly #connections = new Map<Socket, ProxiedConnection>();
  readonly #late: (() => Promise<void>)[] = [];
  readonly #target: () => Address | undefined;
  #isOpen = true;

  private constructor(target: () => Address | undefined) {
    this.#target = target;
    this.#server = createServer((client) => this.#accept(client));
  }

  /** Listens on a port of the system's choice. Where `target` says undefined, nobody is connected. */
  static async start(target: () => Address | undefined): Promise<PostgresProxy> {
    const proxy = new PostgresProxy(target);
    proxy.#server.listen(0, '127.0.0.1');
    await once(proxy.#server, 'listening');
    return proxy;
  }

  /** The proxy in front of the server of this URL. */
  static before(url: string): Promise<PostgresProxy> {
    const { hostname, port } = new URL(url);
    return PostgresProxy.start(() => ({ host: hostname, port: Number(port || 5432) }));
  }

  get port(): number {
    return (this.#server.address() as AddressInfo).port;
  }

  /** How many statements are held back. */
  get late(): number {
    return this.#late.length;
  }

  /** The server executes what was held back. */
  async arrive(): Promise<void> {
    for (const arrive of this.#late.splice(0)) await arrive();
  }

  /** Breaks every connection. */
  cutAll(): void {
    for (const connection of this.#connections.values()) connection.cut();
  }

  /** Ends the sessions whose client has sent such a statement last. No client is told: its connection is silent. */
  forget(which: RegExp): number {
    const found = [...this.#connections.values()].filter(({ sql }) => sql !== undefined && which.test(sql));
    for (const connection of found) connection.forget();
    return found.length;
  }

  /** Breaks the connections that are silent. */
  cutForgotten(): void {
    for (const connection of this.#connections.values()) connection.cutForgotten();
  }

  /** Whether clients are let through. Those that are connected are cut off. */
  open(isOpen: boolean): void {
    this.#isOpen = isOpen;
    if (!isOpen) this.cutAll();
  }

  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    this.cutAll();
    await closed;
  }

  #accept(client: Socket): void {
    const target = this.#target();
    if (!this.#isOpen || target === undefined) return void client.destroy();
    const connection = new ProxiedConnection(client, target, {
      fateOf: (passing) => this.fateOf(passing),
      onTrip: (sql) => this.trips.push(sql),
      onLate: (arrive) => this.#late.push(arrive),
    });
    this.#connections.set(client, connection);
    client.on('close', () => this.#connections.delete(client));
  }
}
