// Readers of event streams whose connections break after so many bytes.
import { once } from 'node:events';
import { connect } from 'node:net';

/** Whole numbers below a limit, the same for the same seed. HOLDFAST_SEED looks at others. */
export function seeded(salt: number): (below: number) => number {
  const given = process.env['HOLDFAST_SEED'] ?? '1';
  let state = (given === 'any' ? Date.now() : Number(given)) + salt;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

/** A message of a stream. */
interface Message {
  readonly id: string | undefined;
  readonly event: string | undefined;
}

interface Cut {
  /** The last id that was seen. */
  readonly after: string | undefined;
  /** The connection is destroyed when it has brought so many bytes, headers included. */
  readonly bytes: number;
}

/** One connection, as bytes: an HTTP client of its own would read on after the cut. */
export class CuttingReader {
  readonly #url: URL;
  readonly #head: string;
  readonly #bytes: number;

  constructor(url: string, token: string | undefined, { after, bytes }: Cut) {
    this.#url = new URL(url);
    this.#bytes = bytes;
    const headers = [
      `Host: ${this.#url.host}`,
      `Authorization: Bearer ${token}`,
      ...(after === undefined ? [] : [`Last-Event-ID: ${after}`]),
    ];
    this.#head = `GET ${this.#url.pathname} HTTP/1.1\r\n${headers.join('\r\n')}\r\n\r\n`;
  }

  /** The whole messages that came before the cut. */
  async *messages(): AsyncGenerator<Message> {
    const socket = connect(Number(this.#url.port), this.#url.hostname);
    await once(socket, 'connect');
    socket.write(this.#head);
    let text = '';
    let left = this.#bytes;
    try {
      for await (const part of socket as AsyncIterable<Buffer>) {
        text += part.subarray(0, left).toString('latin1');
        left -= part.length;
        const blocks = text.split('\n\n');
        text = blocks.pop() ?? '';
        for (const block of blocks) {
          const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'mu').exec(block)?.[1];
          if (block.includes('data: ')) yield { id: field('id'), event: field('event') };
        }
        if (left <= 0) return;
      }
    } finally {
      socket.destroy();
    }
  }
}
