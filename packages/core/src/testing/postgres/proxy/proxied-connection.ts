import { connect, type Socket } from 'node:net';
import { MessageReader, textsOf, type WireMessage } from './message-reader.ts';

/** A message on its way, as a test sees it. */
export interface Passing {
  /** `out`: from the client to the server. */
  readonly direction: 'out' | 'back';
  readonly type: string;
  /** The statement that the client has sent last. Undefined while it connects. */
  readonly sql: string | undefined;
  /** The client is in a transaction that has begun: the server holds its locks. */
  readonly isInTransaction: boolean;
}

/**
 * What becomes of a message. `cut-before` and `cut-after`: the connection breaks before or after it, for both sides. `late`:
 * the connection breaks for the client, and the server receives the whole statement when the test says so. `drop`: it never
 * arrives, and nothing breaks.
 */
export type Fate = 'pass' | 'cut-before' | 'cut-after' | 'late' | 'drop';

/** Where a server is. */
export interface Address {
  readonly host: string;
  readonly port: number;
}

interface Listener {
  readonly fateOf: (passing: Passing) => Fate;
  /** The client speaks, after the server or for the first time: a round trip begins. */
  readonly onTrip: (sql: string | undefined) => void;
  /** A statement that is held back: `arrive` gives it to the server, and resolves when that has executed it. */
  readonly onLate: (arrive: () => Promise<void>) => void;
}

/** One client and its server, message by message. */
export class ProxiedConnection {
  readonly #client: Socket;
  readonly #server: Socket;
  readonly #listener: Listener;
  readonly #statements = new Map<string, string>();
  #sql: string | undefined;
  #isInTransaction = false;
  /** The last to speak was the server. */
  #isClientsTurn = true;
  #held: Buffer[] | undefined;
  #isCut = false;
  /** The server's side is gone, and the client was not told. */
  #isForgotten = false;

  constructor(client: Socket, target: Address, listener: Listener) {
    this.#client = client;
    this.#server = connect({ ...target, noDelay: true });
    this.#listener = listener;
    client.setNoDelay(true);
    const out = new MessageReader('client');
    const back = new MessageReader('server');
    client.on('data', (chunk) => {
      for (const message of out.add(chunk)) this.#fromClient(message);
    });
    this.#server.on('data', (chunk) => {
      for (const message of back.add(chunk)) this.#fromServer(message);
    });
    for (const socket of [client, this.#server]) {
      socket.on('error', () => undefined);
      socket.on('close', () => this.#closeBoth());
    }
  }

  /** Breaks the connection. */
  cut(): void {
    this.#isCut = true;
    this.#client.destroy();
    this.#server.destroy();
  }

  /** The statement that the client has sent last. */
  get sql(): string | undefined {
    return this.#sql;
  }

  /** Ends the session on the server. For the client the connection stays, and nobody answers. */
  forget(): void {
    this.#isForgotten = true;
    this.#server.destroy();
  }

  /** Breaks the connection of a client whose session the server has ended. */
  cutForgotten(): void {
    if (this.#isForgotten) this.cut();
  }

  #closeBoth(): void {
    // What is held back still has to get there.
    if (this.#held !== undefined || this.#isCut || this.#isForgotten) return;
    this.#client.end();
    this.#server.end();
  }

  #fromClient(message: WireMessage): void {
    if (this.#isCut || this.#isForgotten) return;
    this.#readStatement(message);
    // Saying goodbye expects no answer.
    if (this.#isClientsTurn && message.type !== 'X') this.#listener.onTrip(this.#sql);
    this.#isClientsTurn = false;
    if (this.#held !== undefined) return this.#hold(message);
    const fate = this.#listener.fateOf(this.#passing('out', message));
    if (fate === 'drop') return;
    if (fate === 'late') {
      this.#held = [];
      return this.#hold(message);
    }
    if (fate === 'cut-before') return this.cut();
    if (fate === 'pass') return void this.#server.write(message.bytes);
    this.#isCut = true;
    // The server reads all that it was sent, and then that the connection ends.
    this.#server.end(message.bytes);
    this.#client.destroy();
  }

  #fromServer(message: WireMessage): void {
    this.#isClientsTurn = true;
    if (this.#isCut) return;
    // Ready for the next statement, and in which state.
    if (message.type === 'Z') this.#isInTransaction = message.bytes.at(-1) !== 'I'.charCodeAt(0);
    const fate = this.#listener.fateOf(this.#passing('back', message));
    if (fate === 'drop') return;
    if (fate === 'pass' || fate === 'late') return void this.#client.write(message.bytes);
    if (fate === 'cut-before') return this.cut();
    this.#isCut = true;
    this.#client.end(message.bytes);
    this.#server.destroy();
  }

  #passing(direction: Passing['direction'], { type }: WireMessage): Passing {
    return { direction, type, sql: this.#sql, isInTransaction: this.#isInTransaction };
  }

  /** Collects a statement up to its end; then its client is cut off. */
  #hold({ type, bytes }: WireMessage): void {
    const held = this.#held as Buffer[];
    held.push(bytes);
    if (type !== 'S' && type !== 'Q') return;
    this.#isCut = true;
    this.#client.destroy();
    this.#listener.onLate(async () => {
      const answered = new Promise<void>((resolve) => {
        const answer = new MessageReader('server');
        this.#server.removeAllListeners('data').on('data', (chunk) => {
          if (answer.add(chunk).some((message) => message.type === 'Z')) resolve();
        });
        this.#server.on('close', () => resolve());
      });
      this.#server.write(Buffer.concat(held));
      await answered;
      this.#server.destroy();
    });
  }

  #readStatement(message: WireMessage): void {
    if (message.type === 'P') {
      const [name, sql] = textsOf(message, 2) as readonly [string, string];
      this.#statements.set(name, sql);
      this.#sql = sql;
    }
    if (message.type === 'B') this.#sql = this.#statements.get(textsOf(message, 2)[1] as string);
    if (message.type === 'Q') this.#sql = textsOf(message, 1)[0];
  }
}
