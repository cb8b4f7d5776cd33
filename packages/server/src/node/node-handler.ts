import type { IncomingMessage, OutgoingHttpHeaders, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Readable } from 'node:stream';
import { safeHeaders } from '../guard/answers.ts';

/** What Node and Express call. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void;

/** Options of `nodeHandler`. */
export interface NodeHandlerOptions {
  /** How long a client may take for 64 kB of an answer, in milliseconds. Then it is cut off. Default: 30 seconds. */
  readonly stallMs?: number | undefined;
}

/**
 * Makes a fetch handler fit `http.createServer` and Express. A client that reads nothing of its answer is cut off.
 *
 * @example
 * ```ts
 * createServer(nodeHandler(server.fetch)).listen(3000, '127.0.0.1');
 * ```
 */
export function nodeHandler(
  fetch: (request: Request) => Promise<Response>,
  { stallMs = 30_000 }: NodeHandlerOptions = {},
): NodeHandler {
  const latest = new WeakMap<Socket, Promise<void>>();
  return (incoming, outgoing) => {
    const { socket } = incoming;
    const before = latest.get(socket);
    // A client may send many requests without reading an answer. The next one is made when the one before has been sent, so
    // that a connection never holds more than one.
    const answered = (async (): Promise<void> => {
      await before;
      if (!socket.destroyed) await respond(fetch, incoming, outgoing, stallMs);
    })().catch(() => void outgoing.destroy());
    latest.set(socket, answered);
  };
}

async function respond(
  fetch: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
  stallMs: number,
): Promise<void> {
  const { socket } = incoming;
  const abort = new AbortController();
  const gone = new Promise<void>((resolve) => {
    const over = (): void => {
      socket.off('close', over);
      abort.abort();
      resolve();
    };
    outgoing.once('close', over);
    // An answer that waits for another one on the same connection is told of nothing itself.
    socket.once('close', over);
  });
  const request = requestOf(incoming, abort.signal);
  if (request === undefined) outgoing.writeHead(400, { ...safeHeaders, connection: 'close' }).end();
  else await answer(await fetch(request), { incoming, outgoing, stallMs });
  await within(stallMs, outgoing, gone);
}

interface Exchange {
  readonly incoming: IncomingMessage;
  readonly outgoing: ServerResponse;
  readonly stallMs: number;
}

async function answer({ status, headers, body }: Response, exchange: Exchange): Promise<void> {
  const { incoming, outgoing } = exchange;
  // Whoever asked may have gone while the answer was made: nothing would ever read it.
  if (body === null || incoming.method === 'HEAD' || outgoing.closed) {
    await body?.cancel();
    outgoing.writeHead(status, headersOf(headers)).end();
  } else {
    outgoing.writeHead(status, headersOf(headers));
    await send(body, exchange);
  }
  // What is left of a body that nobody wanted to read must not be taken for the next request.
  if (!incoming.complete) incoming.destroy();
}

/** Each cookie is a header of its own. */
function headersOf(headers: Headers): OutgoingHttpHeaders {
  const cookies = headers.getSetCookie();
  return { ...Object.fromEntries(headers), ...(cookies.length > 0 && { 'set-cookie': cookies }) };
}

/** Undefined if the request names no host, or no path that a URL can have. */
function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = 'GET', url = '/', rawHeaders } = incoming;
  try {
    const headers = new Headers();
    for (let at = 0; at + 1 < rawHeaders.length; at += 2)
      headers.append(rawHeaders[at] as string, rawHeaders[at + 1] as string);
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const host = headers.get('host');
    if (host === null || !url.startsWith('/')) return undefined;
    const target = new URL(`http://${host}${url}`);
    return new Request(target, {
      method,
      headers,
      signal,
      ...(hasBody && { body: bodyOf(incoming), duplex: 'half' }),
    });
  } catch {
    return undefined;
  }
}

/** The body. A parser of Express may have read it already. */
function bodyOf(incoming: IncomingMessage): BodyInit {
  const { body } = incoming as { readonly body?: unknown };
  if (body === undefined || !incoming.readableEnded) return Readable.toWeb(incoming) as ReadableStream;
  return typeof body === 'string' || body instanceof Uint8Array ? (body as BodyInit) : JSON.stringify(body);
}

/** So much of an answer has to leave in time. */
const partBytes = 65_536;

/** Sends a body no faster than it is read. A stream that breaks off takes the connection with it. */
async function send(body: ReadableStream<Uint8Array>, { outgoing, stallMs }: Exchange): Promise<void> {
  const reader = body.getReader();
  reader.closed.catch(() => outgoing.destroy());
  outgoing.once('close', () => void reader.cancel().catch(() => undefined));
  for (;;) {
    const { done, value } = await reader.read();
    if (outgoing.closed) return;
    if (done) break;
    for (let at = 0; at < value.length && !outgoing.closed; at += partBytes)
      if (!outgoing.write(value.subarray(at, at + partBytes))) await within(stallMs, outgoing, writable(outgoing));
  }
  outgoing.end();
}

/** Waits, and gives up the connection if that takes too long. Whether the client sends something does not matter. */
async function within(stallMs: number, outgoing: ServerResponse, wanted: Promise<void>): Promise<void> {
  const timer = setTimeout(() => outgoing.destroy(), stallMs);
  timer.unref();
  await wanted;
  clearTimeout(timer);
}

/** Until more can be written, or nothing ever. */
function writable(outgoing: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      outgoing.off('drain', done).off('close', done);
      resolve();
    };
    outgoing.on('drain', done).on('close', done);
  });
}
