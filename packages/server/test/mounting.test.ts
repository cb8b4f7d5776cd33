// The handler in the apps of others: Hono, Express with and without its own parser, Fastify, Next, plain Node, and a path that stays.
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { api, nodeHandler } from '@holdfast/server';
import express from 'express';
import fastify from 'fastify';
import { Hono } from 'hono';
import { expect, onTestFinished, test } from 'vitest';
import { graphs, openHere } from './fixture.ts';

async function handler(basePath?: string) {
  const engine = await openHere();
  return { engine, ...api(engine, { graphs, basePath, authorize: () => ({ by: 'ada' }) }) };
}

async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const fine = [201, 'data: {"status":"completed"}\n\n', 200];

/** Starts a run and reads its events: a body goes in, and a stream comes out. */
async function tried(url: string): Promise<readonly unknown[]> {
  const started = await fetch(`${url}/api/v1/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ graph: 'ticker', input: { count: 3 }, id: 't' }),
  });
  const events = await fetch(`${url}/api/v1/runs/t/events`);
  const [, end] = (await events.text()).split('event: end\n');
  const head = await fetch(`${url}/api/v1/runs/t`, { method: 'HEAD' });
  return [started.status, end, head.status];
}

test('in Hono', async () => {
  const server = await handler();
  const app = new Hono();
  app.mount('/holdfast', server.fetch);
  expect(await tried(`${await listening(nodeHandler(async (request) => app.fetch(request)))}/holdfast`)).toEqual(fine);
});

test.each([false, true])('in Express (its own JSON parser first: %s)', async (parses) => {
  const server = await handler();
  const app = express();
  if (parses) app.use(express.json());
  app.use('/holdfast', nodeHandler(server.fetch));
  expect(await tried(`${await listening(app)}/holdfast`)).toEqual(fine);
});

test('in Fastify, which leaves the bodies to the handler', async () => {
  const handle = nodeHandler((await handler('/holdfast')).fetch);
  const app = fastify();
  await app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser('*', (_request, _body, done) => done(null));
    scope.all('/holdfast/*', (request, reply) => {
      reply.hijack();
      handle(request.raw, reply.raw);
    });
  });
  onTestFinished(() => app.close());
  const url = await app.listen({ port: 0, host: '127.0.0.1' });
  expect(await tried(`${url}/holdfast`)).toEqual(fine);
});

test('as the handlers of a route of Next', async () => {
  const { fetch: handle } = await handler('/holdfast');
  // app/holdfast/[...path]/route.ts exports one function for each method, and is given the whole URL.
  const [GET, POST] = [handle, handle];
  const body = JSON.stringify({ graph: 'ticker', input: { count: 1 }, id: 't' });
  const headers = { 'content-type': 'application/json' };
  const started = await POST(new Request('http://localhost/holdfast/api/v1/runs', { method: 'POST', headers, body }));
  const events = await GET(new Request('http://localhost/holdfast/api/v1/runs/t/events'));
  expect([started.status, (await events.text()).endsWith('event: end\ndata: {"status":"completed"}\n\n')]).toEqual([
    201,
    true,
  ]);
});

test('in plain Node, and under a path that nobody cuts off, as in Next', async () => {
  expect(await tried(await listening(nodeHandler((await handler()).fetch)))).toEqual(fine);
  const server = await handler('/holdfast/');
  expect(await tried(`${await listening(nodeHandler(server.fetch))}/holdfast`)).toEqual(fine);
  expect((await server.fetch(new Request('http://localhost/other'))).status).toBe(404);
});

test('a host that no URL can have is refused', async () => {
  const { request } = await import('node:http');
  const url = new URL(await listening(nodeHandler((await handler()).fetch)));
  const asked = request({ port: url.port, host: '127.0.0.1', headers: { host: 'a b[' } }).end();
  const [response] = (await once(asked, 'response')) as [{ statusCode: number }];
  expect(response.statusCode).toBe(400);
});
