// Floods: of messages, answers, tags, streams and bytes, by run and by caller.
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { workflow } from 'holdfast';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import { eventStream } from '../../src/stream/event-stream.ts';
import { Streams } from '../../src/stream/streams.ts';
import { testEverywhere } from '../every-store.ts';
import { openHere, type Served, served } from '../fixture.ts';

const reader = workflow(
  'reader',
  {
    input: z.object({}),
    receives: { mail: z.number() },
    asks: { first: { show: z.null(), answer: z.number() }, later: { show: z.null(), answer: z.number() } },
  },
  async (_, { receive, ask }) => {
    const first = await ask('first', null);
    return first + (await receive('mail'));
  },
);

testEverywhere('a run takes so many messages and early answers, and no more: 429', async () => {
  const engine = await openHere({ graphs: [reader], bounds: { queuedMessages: 3 } });
  const here = await served({ engine, graphs: { reader } });
  await engine.start(reader, {}, { id: 'r' }).outcome();
  const statuses: number[] = [];
  const give = async (verb: string, body: object) => (await here.ask('POST', `/runs/r/${verb}`, body)).status;
  for (let at = 0; at < 2; at += 1) statuses.push(await give('send', { name: 'mail', value: at }));
  statuses.push(await give('answer', { name: 'later', value: 1 }));
  statuses.push(await give('send', { name: 'mail', value: 9 }), await give('send', { name: 'mail', value: 9 }));
  expect(statuses).toEqual([200, 200, 200, 429, 429]);
  // A run can always be answered: that is how it continues.
  expect(await give('answer', { name: 'first', value: 1 })).toBe(200);
  expect(await engine.get('r').result()).toBe(1);
});

testEverywhere('a run has so many tags, each so long', async () => {
  const here = await served();
  const start = (tags: object) =>
    here.ask('POST', '/runs', { graph: 'refunds', input: { order: 'o', cents: 1 }, tags });
  const many = Object.fromEntries(Array.from({ length: 65 }, (_, at) => [`t${at}`, 'x']));
  expect(await start(many)).toMatchObject({ status: 429, body: { error: { code: 'HOLDFAST_TOO_MANY' } } });
  expect((await start({ long: 'x'.repeat(300) })).status).toBe(400);
  expect((await start({ ['x'.repeat(300)]: 'long' })).status).toBe(400);
  expect((await here.ask('GET', '/runs')).body).toMatchObject({ runs: [] });
});

/** Sends all but the last byte of a body. */
async function unfinished(here: Served, user: string, bytes: number): Promise<string> {
  const socket = connect(here.server.port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  const head = `POST /api/v1/runs HTTP/1.1\r\nHost: 127.0.0.1:${here.server.port}\r\nX-User: ${user}\r\nContent-Type: application/json\r\nContent-Length: ${bytes}\r\n\r\n`;
  socket.write(head + ' '.repeat(bytes - 1));
  const [answer] = (await once(socket, 'data')) as [Buffer];
  return answer.toString('latin1').slice(9, 12);
}

test('a caller has so many bytes of bodies in memory; others are not held up', async () => {
  const here = await served({
    limits: { bodyBytesPerCaller: 300_000, bodyMs: 1_500 },
    authorize: (request) => ({ by: request.headers.get('x-user') ?? 'nobody' }),
  });
  const all = await Promise.all(Array.from({ length: 8 }, () => unfinished(here, 'ada', 90_000)));
  // Three of 90 kB fit; they are dropped because they never end.
  expect(all.toSorted()).toEqual(['408', '408', '408', '503', '503', '503', '503', '503']);
  const body = { graph: 'refunds', input: { order: 'o', cents: 1 } };
  const waiting = Array.from({ length: 3 }, () => unfinished(here, 'ada', 90_000));
  expect((await here.ask('POST', '/runs', body, { 'x-user': 'bob' })).status).toBe(201);
  await Promise.all(waiting);
  expect((await here.ask('POST', '/runs', body, { 'x-user': 'ada' })).status).toBe(201);
});

test('the streams of a caller share what may wait for them', () => {
  const limits = { streams: 100, streamsPerCaller: 10, unreadBytes: 1_000, unreadBytesPerCaller: 4_000 };
  const streams = new Streams(limits);
  const first = streams.begin({ by: 'ada', scope: { tenant: 'a' } });
  expect(first.unreadBytes()).toBe(1_000);
  const more = Array.from({ length: 7 }, () => streams.begin({ by: 'ada', scope: { tenant: 'a' } }));
  expect(first.unreadBytes()).toBe(500);
  // The same name in another tenant is someone else.
  expect(streams.begin({ by: 'ada', scope: { tenant: 'b' } }).unreadBytes()).toBe(1_000);
  for (const { end } of more) end();
  for (const { end } of more) end();
  expect(first.unreadBytes()).toBe(1_000);
  expect(streams.open).toBe(2);
});

test('a stream reads ahead no further than its share, and goes on when that grows', async () => {
  let share = 20_000;
  let made = 0;
  async function* messages(): AsyncGenerator<{ readonly data: string }> {
    for (; made < 100; made += 1) yield { data: 'x'.repeat(1_000) };
  }
  const limits = { unreadBytes: 1_000_000, stallMs: 600_000, heartbeatMs: 600_000 };
  const body = eventStream(messages(), {
    limits,
    share: { unreadBytes: () => share, end: () => undefined },
    abort: new AbortController(),
    onDropped: () => undefined,
  });
  await setImmediate();
  expect(made).toBeLessThanOrEqual(20);
  share = 50_000;
  const reader = body.getReader();
  await reader.read();
  await setImmediate();
  expect(made).toBeGreaterThan(20);
  expect(made).toBeLessThanOrEqual(51);
  await reader.cancel();
});
