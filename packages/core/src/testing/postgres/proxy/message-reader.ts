/** A message of Postgres' protocol, version 3, with its frame. */
export interface WireMessage {
  /** The letter of its kind. Empty for the first message of a client, which has none. */
  readonly type: string;
  readonly bytes: Buffer;
}

const lengthBytes = 4;

/** Splits what one side of a connection sends into messages. */
export class MessageReader {
  #rest: Buffer = Buffer.alloc(0);
  /** A client begins with a message that has a length and no letter. */
  #isFirst: boolean;

  constructor(side: 'client' | 'server') {
    this.#isFirst = side === 'client';
  }

  /** The messages that are complete now. */
  add(chunk: Buffer): readonly WireMessage[] {
    this.#rest = this.#rest.length === 0 ? chunk : Buffer.concat([this.#rest, chunk]);
    const messages: WireMessage[] = [];
    for (let message = this.#next(); message !== undefined; message = this.#next()) messages.push(message);
    return messages;
  }

  #next(): WireMessage | undefined {
    const start = this.#isFirst ? 0 : 1;
    if (this.#rest.length < start + lengthBytes) return undefined;
    const end = start + this.#rest.readInt32BE(start);
    if (this.#rest.length < end) return undefined;
    const bytes = this.#rest.subarray(0, end);
    this.#rest = this.#rest.subarray(end);
    const type = this.#isFirst ? '' : String.fromCharCode(bytes[0] as number);
    this.#isFirst = false;
    return { type, bytes };
  }
}

/** The texts at the front of a message's body, each of which ends with a zero. */
export function textsOf({ bytes }: WireMessage, count: number): readonly string[] {
  const texts: string[] = [];
  let from = 1 + lengthBytes;
  for (let at = 0; at < count; at += 1) {
    const to = bytes.indexOf(0, from);
    texts.push(bytes.toString('utf8', from, to));
    from = to + 1;
  }
  return texts;
}
