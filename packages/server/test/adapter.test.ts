// The adapter for Node: what leaves before it is answered, what is read too slowly, and what other apps put before it.

import { spawn } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { createInterface } from 'node:readline';
import { api, nodeHandler } from '@holdfast/server';
import express from 'express';
import { expect, onTestFinished, test } from 'vitest';
import { graphs, openHere, served, ticker } from './fixture.ts';
import { bundleServerProgram } from './program.ts';

async function listening(listener: RequestListener): Promise<string> {
  const server = createServer(listener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a stream whose reader has left before it began is closed', async () => {
  const asked = new EventEmitter();
  const allowed = once(asked, 'allowed');
  const here = await served({
    authorize: async ({ url, signal }) => {
      if (!url.endsWith('/events')) return { by: 'ada' };
      asked.emit('asked');
      await allowed;
      expect(signal.aborted).toBe(true);
      return { by: 'ada' };
    },
  });
  await here.engine.start(ticker, { count: 1, stays: true }, { id: 't' }).outcome();
  const isAsked = once(asked, 'asked');
  const socket = connect(here.server.port, '127.0.0.1');
  socket.write(`GET /api/v1/runs/t/events HTTP/1.1\r\nHost: 127.0.0.1:${here.server.port}\r\n\r\n`);
  await isAsked;
  socket.destroy();
  await once(socket, 'close');
  // The server hears of it on its own connection.
  await here.ask('GET', '/health');
  asked.emit('allowed');
  await expect
    .poll(async () => (await here.ask('GET', '/metrics')).body)
    .toMatch(/holdfast_event_streams 0\n[^]*requests_total\{status="200"\}/u);
});

test('HEAD opens no stream, wherever the handler is mounted', async () => {
  const engine = await openHere();
  await engine.start(ticker, { count: 1, stays: true }, { id: 't' }).outcome();
  const { fetch: handle } = api(engine, { graphs, authorize: () => ({ by: 'ada' }) });
  const url = 'http://localhost/api/v1/runs/t/events';
  const { status, headers } = await handle(new Request(url, { method: 'HEAD' }));
  expect([status, headers.get('content-type')]).toEqual([200, 'text/event-stream; charset=utf-8']);
  const metrics = await handle(new Request('http://localhost/api/v1/metrics'));
  expect(await metrics.text()).toContain('holdfast_event_streams 0');
});

test('every cookie of an answer is sent', async () => {
  const headers = new Headers({ 'x-other': 'a' });
  headers.append('set-cookie', 'a=1');
  headers.append('set-cookie', 'b=2');
  const url = await listening(nodeHandler(async () => new Response('fine', { headers })));
  expect((await fetch(url)).headers.getSetCookie()).toEqual(['a=1', 'b=2']);
});

test.each([
  ['text', express.text({ type: '*/*' })],
  ['bytes', express.raw({ type: '*/*' })],
])('a body that Express has read as %s is the same', async (_, parser) => {
  const app = express();
  app.use(parser, nodeHandler(api(await openHere(), { graphs, authorize: () => ({ by: 'ada' }) }).fetch));
  const response = await fetch(`${await listening(app)}/api/v1/runs`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{"graph":"ticker","input":{"count":1}}',
  });
  expect(response.status).toBe(201);
});

test('requests that are sent without reading an answer are answered one after the other', async () => {
  let made = 0;
  const answers = [new Uint8Array(30_000_000), new Uint8Array(10)];
  const url = new URL(await listening(nodeHandler(async () => new Response(answers[made++]))));
  const socket = connect(Number(url.port), '127.0.0.1');
  socket.pause();
  const lines = 'GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n';
  socket.write(lines.repeat(2));
  await expect.poll(() => made).toBe(1);
  await fetch(url).then((other) => other.arrayBuffer());
  // The other connection took the second answer.
  expect(made).toBe(2);
  socket.resume();
  await expect.poll(() => made).toBe(3);
  socket.destroy();
});

test('streams that wait for another one on their connection end with it', async () => {
  const here = await served();
  await here.engine.start(ticker, { count: 1, stays: true }, { id: 't' }).outcome();
  const token = `Authorization: Bearer ${here.server.token}`;
  const head = `GET /api/v1/runs/t/events HTTP/1.1\r\nHost: 127.0.0.1:${here.server.port}\r\n${token}\r\n\r\n`;
  const socket = connect(here.server.port, '127.0.0.1', () => socket.write(head.repeat(5)));
  await once(socket, 'data');
  const streams = async () => (await here.ask('GET', '/metrics')).body;
  expect(await streams()).toContain('holdfast_event_streams 1');
  socket.destroy();
  await expect.poll(streams).toContain('holdfast_event_streams 0');
});

test('an answer of which nothing is read is cut off, whatever else its client sends', async () => {
  const closed = new EventEmitter();
  const handle = nodeHandler(async () => new Response(new Uint8Array(30_000_000)), { stallMs: 100 });
  const url = await listening((incoming, outgoing) => {
    outgoing.once('close', () => closed.emit('closed', outgoing.writableFinished));
    handle(incoming, outgoing);
  });
  const isClosed = once(closed, 'closed');
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.on('error', () => undefined).pause();
  socket.write('GET / HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n');
  const sending = setInterval(() => socket.write('\r\n'), 20);
  onTestFinished(() => clearInterval(sending));
  expect(await isClosed).toEqual([false]);
  socket.destroy();
});

/** Sends so many megabytes, in parts, and says how much memory it has when a reader has taken half of them, and all. */
const program = `
import { createServer } from 'node:http';
import { nodeHandler } from './index.ts';
const part = new Uint8Array(1024);
let sent = 0;
const body = () => new ReadableStream({
  pull(controller) {
    if (sent === 40_000) { gc(); console.log(process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed); }
    if (sent === 200_000) { gc(); console.log(process.memoryUsage().arrayBuffers + process.memoryUsage().heapUsed); controller.close(); return; }
    sent += 1;
    controller.enqueue(part.slice());
  },
});
const server = createServer(nodeHandler(async () => new Response(body()))).listen(0, '127.0.0.1', () => console.log(server.address().port));
`;

test('a stream keeps nothing of what it has sent', async () => {
  const path = await bundleServerProgram('long-stream', program);
  const child = spawn(process.execPath, ['--expose-gc', path], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const number = async (): Promise<number> => Number((await lines.next()).value);
  const response = await fetch(`http://127.0.0.1:${await number()}/`);
  let read = 0;
  for await (const part of response.body as AsyncIterable<Uint8Array>) read += part.length;
  expect(read).toBe(200_000 * 1024);
  const [early, late] = [await number(), await number()];
  // 160 MB lie between the two.
  expect(late - early).toBeLessThan(30 * 2 ** 20);
});
