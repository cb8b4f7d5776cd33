import { Hono } from 'hono';
import { ApiError } from './api-error.ts';
import { authorized } from './caller/authorized.ts';
import type { Authorize, Caller } from './caller/caller.ts';
import { Scope } from './caller/scope.ts';
import { errorAnswer, jsonAnswer } from './guard/answers.ts';
import { checkRequest, type Door } from './guard/check-request.ts';
import { readBody } from './guard/read-body.ts';
import type { Call, RawRequest, Route, Server } from './route/route.ts';

/** What the app is made of. */
interface AppOptions {
  readonly server: Server;
  readonly routes: readonly Route[];
  readonly door: Door;
  readonly authorize: Authorize;
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
  app.onError((error) => errorAnswer(error, onUnexpected));
  return app;
}

async function answer(
  { server, authorize }: AppOptions,
  route: Route,
  request: Request,
  { params, query }: Pick<RawRequest, 'params' | 'query'>,
): Promise<Response> {
  const caller = route.access === 'public' ? anonymous : await authorized(authorize, request);
  const isCommand = route.access === 'write' || route.access === 'admin';
  if (isCommand) checkMay(server, route, caller);
  const body = route.body === undefined ? undefined : await readBody(request, server.limits);
  const { engine, redactor } = server;
  const call: Call = { server, engine, redactor, caller, scope: new Scope(engine, caller), request };
  let status = route.status ?? 200;
  try {
    const value = await inTime(route.answer(call, { params, query, body }), server.limits.answerMs);
    return value instanceof Response ? value : jsonAnswer(value, status);
  } catch (error) {
    status = 0 as 200;
    throw error;
  } finally {
    const { runId } = params as { readonly runId?: string };
    if (isCommand) server.observe({ type: 'command', command: route.id, by: caller.by, runId, status });
  }
}

function checkMay(server: Server, route: Route, caller: Caller): void {
  if (server.isReadOnly || caller.readOnly === true)
    throw new ApiError(403, 'HTTP_FORBIDDEN', 'Only reading is allowed here.');
  if (route.access === 'admin' && caller.admin !== true)
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

/** A name that comes twice has the last value; unknown names are refused by the schemas. */
function queryOf({ url }: Request): Readonly<Record<string, string>> {
  return Object.fromEntries(new URL(url).searchParams);
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
