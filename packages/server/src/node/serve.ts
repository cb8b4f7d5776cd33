import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Engine } from 'holdfast';
import { type Api, api } from '../api.ts';
import type { Authorize } from '../caller/caller.ts';
import { errorAnswer, jsonAnswer } from '../guard/answers.ts';
import { checkHost, loopbackHosts } from '../guard/check-request.ts';
import { limitsOf } from '../limits.ts';
import { logged, safely } from '../observe.ts';
import type { ApiOptions, Graphs, ServerEvent } from '../options.ts';
import { nodeHandler } from './node-handler.ts';
import { newToken, TokenDoor } from './token.ts';

/** Options of `serve`. */
export interface ServeOptions<G extends Graphs = Graphs> extends Omit<ApiOptions<G>, 'authorize'> {
  /** Default: 127.0.0.1. Another address needs a `token` or `authorize`. */
  readonly host?: string | undefined;
  /** Default: any free port. */
  readonly port?: number | undefined;
  /** What callers have to know. Default: a random one. */
  readonly token?: string | undefined;
  /** Says who makes a request, instead of the token. */
  readonly authorize?: Authorize | undefined;
  /** The name of whoever has the token, in the records of their commands. Default: `local`. */
  readonly by?: string | undefined;
  /** Answers what is no part of the API, such as pages. Nothing: 404. */
  readonly pages?: ((request: Request) => Promise<Response | undefined>) | undefined;
}

/** A server that listens. */
export interface RunningServer extends AsyncDisposable {
  /** Its address with the token: open it once, and the browser keeps the token in a cookie. */
  readonly url: string;
  readonly port: number;
  /** Undefined if the server was given `authorize`. */
  readonly token: string | undefined;
  /** Ends every connection. The engine stays open. */
  close(): Promise<void>;
}

/**
 * Serves an engine on this machine. Nobody else can reach it, and only who has the token is answered.
 *
 * @example
 * ```ts
 * const server = await serve(engine, { graphs: { refunds } });
 * console.log(server.url);
 * ```
 */
export async function serve<const G extends Graphs>(
  engine: Engine,
  options: ServeOptions<G> = {},
): Promise<RunningServer> {
  const { host = '127.0.0.1', port = 0, token, authorize, by = 'local', pages, ...rest } = options;
  if (!isLoopback(host) && token === undefined && authorize === undefined)
    throw new TypeError(`serve() on ${host} can be reached by others: pass a token, or authorize.`);
  const hosts = rest.hosts ?? [...loopbackHosts, ...ownName(host)];
  const door = new TokenDoor(token ?? newToken(), by);
  const inner = api(engine, { ...rest, hosts, authorize: authorize ?? door.authorize });
  const observe = safely(rest.observe ?? logged);
  const fetch = frontOf({ inner, hosts, pages, observe, door: authorize === undefined ? door : undefined });
  const limits = limitsOf(rest.limits);
  const server = createServer(
    { maxHeaderSize: limits.headerLength, connectionsCheckingInterval: 1_000 },
    // An event stream is cut first, which is told to `observe`.
    nodeHandler(fetch, { stallMs: Math.max(30_000, 3 * limits.stallMs) }),
  );
  server.headersTimeout = limits.bodyMs;
  // A body of JSON has less time, which `readBody` sees to.
  server.requestTimeout = Math.max(limits.bodyMs, limits.importMs);
  server.maxConnections = 2 * limits.streams + 100;
  server.listen(port, host);
  await once(server, 'listening');
  const { port: found } = server.address() as AddressInfo;
  door.port = found;
  const address = `http://${nameOf(host)}:${found}/`;
  const close = (): Promise<void> => closed(server);
  return {
    url: authorize === undefined ? `${address}?token=${encodeURIComponent(door.token)}` : address,
    port: found,
    token: authorize === undefined ? door.token : undefined,
    close,
    [Symbol.asyncDispose]: close,
  };
}

interface Front {
  readonly inner: Api;
  readonly hosts: readonly string[] | 'any';
  readonly pages: ServeOptions['pages'];
  readonly observe: (event: ServerEvent) => void;
  /** Undefined: there is no token. */
  readonly door: TokenDoor | undefined;
}

/** What comes before the API: the printed URL, and pages. */
function frontOf({ inner, hosts, pages, observe, door }: Front): Api['fetch'] {
  return async (request) => {
    const { pathname } = new URL(request.url);
    if (pathname === '/api' || pathname.startsWith('/api/')) return inner.fetch(request);
    try {
      checkHost(request, { hosts });
      const answer = door?.exchange(request) ?? (await pages?.(request));
      return answer ?? jsonAnswer(welcome, pathname === '/' ? 200 : 404);
    } catch (error) {
      return errorAnswer(error, (id) => observe({ type: 'error', id, error }));
    }
  };
}

const welcome = { api: '/api/v1', openapi: '/api/v1/openapi.json' };

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127(?:\.\d{1,3}){3}$/u.test(host);
}

/** The name by which a browser calls an address. */
function nameOf(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}

/** Nobody calls a server by the address that stands for all of its addresses, except pages that should not. */
function ownName(host: string): readonly string[] {
  return host === '0.0.0.0' || host === '::' ? [] : [nameOf(host)];
}

async function closed(server: Server): Promise<void> {
  const done = once(server, 'close');
  server.close();
  server.closeAllConnections();
  await done;
}
