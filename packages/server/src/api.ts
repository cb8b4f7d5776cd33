import type { AnyGraph, Engine } from 'holdfast';
import { appOf } from './app.ts';
import type { Caller } from './caller/caller.ts';
import { Scope } from './caller/scope.ts';
import { Bodies } from './guard/bodies.ts';
import { logged, safely } from './observe.ts';
import { loopbackHosts } from './guard/check-request.ts';
import { Redactor } from './json/redact.ts';
import { limitsOf } from './limits.ts';
import type { ApiOptions, Graphs } from './options.ts';
import { routes } from './route/all.ts';
import type { Server } from './route/route.ts';
import { Streams } from './stream/streams.ts';

/** The HTTP API of an engine. Clients take their types from it: `hooks<typeof server>()`. */
export interface Api<G extends Graphs = Graphs> {
  /** Answers a request. Mount it into Hono, Next or anything else that speaks fetch; `nodeHandler` makes it fit Node. */
  readonly fetch: (request: Request) => Promise<Response>;
  /** The graphs, for the types of clients. */
  readonly graphs: G;
}

/**
 * Serves an engine under `/api/v1` as a plain fetch handler.
 *
 * @example
 * ```ts
 * const server = api(engine, { graphs: { refunds }, authorize: (request) => ({ by: userOf(request) }) });
 * app.mount('/holdfast', server.fetch);
 * ```
 *
 * @throws TypeError for options that cannot be right
 */
export function api<const G extends Graphs = Graphs>(engine: Engine, options: ApiOptions<G>): Api<G> {
  const { graphs, authorize, hosts = loopbackHosts, origins = [], basePath = '', redact, readOnly = false } = options;
  if (typeof authorize !== 'function')
    throw new TypeError('api() needs authorize: a function that says who makes a request.');
  const limits = limitsOf(options.limits);
  const server: Server = {
    engine,
    graphs: new Map<string, AnyGraph>(Object.values(graphs ?? {}).map((graph) => [graph.name, graph])),
    redactor: new Redactor(redact),
    limits,
    streams: new Streams(limits),
    isReadOnly: readOnly,
    bodies: new Bodies(limits),
    observe: safely(options.observe ?? logged),
  };
  const scopeOf = (of: Engine, caller: Caller): Scope => new Scope(of, caller);
  const app = appOf({ server, routes, authorize, scopeOf, door: { hosts, origins, limits } });
  const prefix = basePath.replace(/\/+$/u, '');
  return {
    fetch: async (request) => app.fetch(prefix === '' ? request : withoutPrefix(request, prefix)),
    graphs: (graphs ?? {}) as G,
  };
}

function withoutPrefix(request: Request, prefix: string): Request {
  const url = new URL(request.url);
  if (url.pathname !== prefix && !url.pathname.startsWith(`${prefix}/`)) return request;
  url.pathname = url.pathname.slice(prefix.length) || '/';
  return new Request(url, request);
}
