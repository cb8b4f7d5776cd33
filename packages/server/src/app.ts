import type { Engine } from 'holdfast';
import { Hono } from 'hono';
import { ApiError, invalidRequest } from './api-error.ts';
import { authorized } from './caller/authorized.ts';
import type { Authorize, Caller } from './caller/caller.ts';
import type { Scope } from './caller/scope.ts';
import { errorAnswer, jsonAnswer, toldOf } from './guard/answers.ts';
import { checkRequest, type Door } from './guard/check-request.ts';
import { readBody } from './guard/read-body.ts';
import type { About, Call, RawRequest, Route, Server } from './route/route.ts';

/** What the app is made of. */
interface AppOptions {
  readonly server: Server;
  readonly routes: readonly Route[];
  readonly door: Door;
  readonly authorize: Authorize;
  /** Makes the scope of a caller on a route. */
  readonly scopeOf: (engine: Engine, caller: Caller, route: string) => Scope;
}

const root = '/api/v1';
const anonymous: Caller = { by: 'anonymous' };

/** The routes on Hono. Every request passes the same checks in the same order. */
export function appOf(options: AppOptions): Hono {
  const { routes, server } = options;
  const app = new Hono();
  const onUnexpected = (id: string, error: unknown): void => server.observe({ type: 'error', id, error });
  app.use(async (context, next) => {
    checkRequest(context.req.raw, options.door);
    await next();
  });
  for (const route of routes) {
    app.on(route.method, `${root}${honoPath(route.path)}`, async (context) => {
      const { raw } = context.req;
      const params = context.req.param();
      return answer(options, route, raw, { params, query: queryOf(raw) });
    });
  }
  for (const [path, methods] of methodsByPath(routes)) {
    app.all(`${root}${honoPath(path)}`, () => {
      throw new ApiError(405, 'HTTP_METHOD_NOT_ALLOWED', `Use ${methods.join(' or ')}.`, { allow: methods.join(', ') });
    });
  }
  app.notFound(() =>
    jsonAnswer({ error: { code: 'HTTP_NOT_FOUND', message: `There is nothing here. See ${root}/openapi.json.` } }, 404),
  );
  app.onError((error) => errorAnswer(error, onUnexpected, server.redactor));
  return app;
}

async function answer(
  { server, authorize, scopeOf }: AppOptions,
  route: Route,
  request: Request,
  { params, query }: Pick<RawRequest, 'params' | 'query'>,
): Promise<Response> {
  const { engine, redactor, limits } = server;
  const isPublic = route.access === 'public';
  const caller = isPublic ? anonymous : await inTime(authorized(authorize, request), limits.answerMs);
  const audit = auditOf(server, route, caller, params);
  const bodies = server.bodies.begin(caller);
  try {
    checkMay(server, route, caller);
    const body = route.body === undefined ? undefined : await readBody(request, limits, bodies.take);
    const call: Call = { server, engine, redactor, caller, scope: scopeOf(engine, caller, route.id), request };
    const value = await inTime(route.answer(call, { params, query, body }), limits.answerMs);
    const status = value instanceof Response ? value.status : (route.status ?? 200);
    audit(status, route.about?.(body, value));
    return value instanceof Response ? value : jsonAnswer(value, status);
  } catch (error) {
    audit(toldOf(error)?.status ?? 500);
    throw error;
  } finally {
    bodies.end();
  }
}

type Audit = (status: number, about?: About) => void;

/** Tells of a command, whatever became of it. */
function auditOf(server: Server, { id, access }: Route, { by }: Caller, params: unknown): Audit {
  if (access !== 'write' && access !== 'admin') return () => undefined;
  const { runId } = params as { readonly runId?: string };
  return (status, about) => server.observe({ type: 'command', command: id, by, runId, status, ...about });
}

function checkMay(server: Server, { access }: Route, caller: Caller): void {
  if (access !== 'write' && access !== 'admin') return;
  if (server.isReadOnly || caller.readOnly === true)
    throw new ApiError(403, 'HTTP_FORBIDDEN', 'Only reading is allowed here.');
  if (access === 'admin' && caller.admin !== true)
    throw new ApiError(403, 'HTTP_FORBIDDEN', 'Only an administrator may do this.');
}

async function inTime<T>(work: Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new ApiError(503, 'HTTP_TIMEOUT', 'The answer took too long.')), ms);
    timer.unref();
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** Unknown names are refused by the schemas. @throws ApiError for a name that comes twice: each reader might take another value */
function queryOf({ url }: Request): Readonly<Record<string, string>> {
  const given = [...new URL(url).searchParams];
  const query = Object.fromEntries(given);
  if (Object.keys(query).length < given.length) throw invalidRequest('query: a parameter is given twice.');
  return query;
}

function honoPath(path: string): string {
  return path.replaceAll(/\{(\w+)\}/gu, ':$1');
}

function methodsByPath(routes: readonly Route[]): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { path, method } of routes) {
    const methods = found.get(path) ?? [];
    methods.push(...(method === 'get' ? ['GET', 'HEAD'] : [method.toUpperCase()]));
    found.set(path, methods);
  }
  return found;
}
