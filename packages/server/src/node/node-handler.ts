import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { Readable } from 'node:stream';

/** What Node and Express call. */
export type NodeHandler = (request: IncomingMessage, response: ServerResponse) => void;

/**
 * Makes a fetch handler fit `http.createServer` and Express.
 *
 * @example
 * ```ts
 * createServer(nodeHandler(server.fetch)).listen(3000, '127.0.0.1');
 * ```
 */
export function nodeHandler(fetch: (request: Request) => Promise<Response>): NodeHandler {
  return (incoming, outgoing) => {
    respond(fetch, incoming, outgoing).catch(() => outgoing.destroy());
  };
}

async function respond(
  fetch: (request: Request) => Promise<Response>,
  incoming: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const abort = new AbortController();
  outgoing.once('close', () => abort.abort());
  const request = requestOf(incoming, abort.signal);
  if (request === undefined) {
    outgoing.writeHead(400, { connection: 'close' }).end();
    return;
  }
  const response = await fetch(request);
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  if (response.body === null || incoming.method === 'HEAD') {
    await response.body?.cancel();
    outgoing.end();
  } else {
    await send(response.body, outgoing);
  }
  // What is left of a body that nobody wanted to read must not be taken for the next request.
  if (!incoming.complete) incoming.destroy();
}

/** Undefined if the request names no host or no path that a URL can have. */
function requestOf(incoming: IncomingMessage, signal: AbortSignal): Request | undefined {
  const { method = 'GET', url = '/', rawHeaders } = incoming;
  try {
    const headers = new Headers();
    for (let at = 0; at + 1 < rawHeaders.length; at += 2)
      headers.append(rawHeaders[at] as string, rawHeaders[at + 1] as string);
    const hasBody = method !== 'GET' && method !== 'HEAD';
    const target = new URL(`http://${headers.get('host') ?? 'localhost'}${url.startsWith('/') ? url : '/'}`);
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

/** The body. Express may have read it already. */
function bodyOf(incoming: IncomingMessage): string | ReadableStream {
  const { body } = incoming as { readonly body?: unknown };
  if (body !== undefined && incoming.readableEnded) return JSON.stringify(body);
  return Readable.toWeb(incoming) as ReadableStream;
}

async function drained(outgoing: ServerResponse): Promise<false> {
  await new Promise<void>((resolve) => outgoing.once('drain', resolve));
  return false;
}

/** Sends a body no faster than it is read. A stream that breaks off takes the connection with it. */
async function send(body: ReadableStream<Uint8Array>, outgoing: ServerResponse): Promise<void> {
  const reader = body.getReader();
  const closed = once(outgoing, 'close').then(() => true);
  const broken = reader.closed.then(() => false);
  broken.catch(() => outgoing.destroy());
  for (;;) {
    const part = await Promise.race([reader.read(), closed]);
    if (typeof part === 'boolean') {
      await reader.cancel();
      return;
    }
    if (part.done) break;
    if (outgoing.write(part.value)) continue;
    if (!(await Promise.race([drained(outgoing), closed]))) continue;
    await reader.cancel();
    return;
  }
  outgoing.end();
}
