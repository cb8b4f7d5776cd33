// Event streams: resumed without loss, ended in words, and cut when nobody reads.
import { connect } from 'node:net';
import { describe, expect } from 'vitest';
import { CuttingReader, seeded } from './cutting-reader.ts';
import { testEverywhere } from './every-store.ts';
import { openHere, served, ticker } from './fixture.ts';

interface Message {
  readonly id: string | undefined;
  readonly event: string | undefined;
  readonly data: unknown;
}

/** Reads a stream until it ends, or until `stop` says so. */
async function* readStream(
  url: string,
  headers: Readonly<Record<string, string>>,
  signal?: AbortSignal,
): AsyncGenerator<Message> {
  const response = await fetch(url, { headers, ...(signal !== undefined && { signal }) });
  expect(response.status).toBe(200);
  expect(response.headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
  const decoder = new TextDecoder();
  let buffered = '';
  for await (const part of response.body as AsyncIterable<Uint8Array>) {
    buffered += decoder.decode(part, { stream: true });
    const blocks = buffered.split('\n\n');
    buffered = blocks.pop() as string;
    for (const block of blocks) {
      const field = (name: string) => new RegExp(`^${name}: (.*)$`, 'mu').exec(block)?.[1];
      const data = field('data');
      if (data !== undefined) yield { id: field('id'), event: field('event'), data: JSON.parse(data) as unknown };
    }
  }
}

describe('an event stream', () => {
  testEverywhere('has every event once, its cursor as id, and ends in words', async () => {
    const { base, server, engine } = await served();
    await engine.start(ticker, { count: 7 }, { id: 't' }).result();
    const headers = { authorization: `Bearer ${server.token}` };
    const messages: Message[] = [];
    for await (const message of readStream(`${base}/api/v1/runs/t/events`, headers)) messages.push(message);
    expect(messages.at(-1)).toEqual({ id: undefined, event: 'end', data: { status: 'completed' } });
    const ids = messages.slice(0, -1).map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    const middle = ids[Math.floor(ids.length / 2)] as string;
    const rest: (string | undefined)[] = [];
    const again = readStream(`${base}/api/v1/runs/t/events`, { ...headers, 'last-event-id': middle });
    for await (const { id } of again) rest.push(id);
    expect(rest.slice(0, -1)).toEqual(ids.slice(ids.indexOf(middle) + 1));
    expect((await fetch(`${base}/api/v1/runs/t/events?after=99999`, { headers })).status).toBe(400);
    expect(
      (await fetch(`${base}/api/v1/runs/t/events`, { headers: { ...headers, 'last-event-id': 'x' } })).status,
    ).toBe(400);
  });

  testEverywhere('gives 200 clients with random cuts every cursor exactly once', async () => {
    const here = await served({ limits: { heartbeatMs: 50 } });
    const run = await here.engine.start(ticker, { count: 30, pause: 5, stays: true }, { id: 't' });
    const url = `${here.base}/api/v1/runs/t/events`;
    const random = seeded(200);
    let cuts = 0;
    /** Reads with as many cuts as it likes, each after a random number of bytes: mostly in the middle of a message. */
    const client = async (): Promise<readonly string[]> => {
      const seen: string[] = [];
      for (;;) {
        const reader = new CuttingReader(url, here.server.token, { after: seen.at(-1), bytes: 1_000 + random(12_000) });
        for await (const { id, event } of reader.messages()) {
          if (event === 'end') return seen;
          if (id !== undefined) seen.push(id);
        }
        cuts += 1;
      }
    };
    const clients = Array.from({ length: 200 }, client);
    await expect.poll(() => cuts).toBeGreaterThan(50);
    await expect.poll(async () => (await run.summary()).waits.length).toBe(1);
    await run.send('stop', {});
    const all = await Promise.all(clients);
    const wanted: string[] = [];
    for await (const { cursor } of run.events()) wanted.push(cursor);
    expect(wanted.length).toBeGreaterThan(30);
    for (const seen of all) expect(seen).toEqual(wanted);
    await expect.poll(async () => (await here.ask('GET', '/metrics')).body).toContain('holdfast_event_streams 0');
  });

  testEverywhere('breaks off without a word if the store goes away, so that its readers come back', async () => {
    const here = await served();
    await here.engine.start(ticker, { count: 3, stays: true }, { id: 't' }).outcome();
    const response = await fetch(`${here.base}/api/v1/runs/t/events`, {
      headers: { authorization: `Bearer ${here.server.token}` },
    });
    let text = '';
    const reading = (async (): Promise<unknown> => {
      try {
        for await (const part of response.body as AsyncIterable<Uint8Array>) text += Buffer.from(part).toString();
        return 'ended';
      } catch (error) {
        return (error as Error).message;
      }
    })();
    await expect.poll(() => text).toContain('2:x');
    await here.engine.close();
    expect(await reading).toBe('terminated');
    expect(text).not.toMatch(/event: (?:end|failure)/u);
  });

  testEverywhere('says that it is alive while nothing happens', async () => {
    const here = await served({ limits: { heartbeatMs: 20 } });
    await here.engine.start(ticker, { count: 1, stays: true }, { id: 't' }).outcome();
    const abort = new AbortController();
    const response = await fetch(`${here.base}/api/v1/runs/t/events`, {
      headers: { authorization: `Bearer ${here.server.token}` },
      signal: abort.signal,
    });
    let text = '';
    for await (const part of response.body as AsyncIterable<Uint8Array>) {
      text += Buffer.from(part).toString();
      if (text.split(': alive').length > 3) break;
    }
    abort.abort();
    expect(text).toContain(': alive');
  });

  testEverywhere('is refused with 503 beyond the cap, for all and for one caller', async () => {
    const here = await served({ limits: { streamsPerCaller: 3 } });
    await here.engine.start(ticker, { count: 1, stays: true }, { id: 't' }).outcome();
    const headers = { authorization: `Bearer ${here.server.token}` };
    const aborts = [new AbortController(), new AbortController(), new AbortController()];
    for (const { signal } of aborts)
      expect((await fetch(`${here.base}/api/v1/runs/t/events`, { headers, signal })).status).toBe(200);
    expect(await here.ask('GET', '/runs/t/events')).toMatchObject({
      status: 503,
      body: { error: { code: 'HTTP_TOO_MANY_STREAMS' } },
    });
    for (const abort of aborts) abort.abort();
    await expect.poll(async () => (await here.ask('GET', '/metrics')).body).toContain('holdfast_event_streams 0');
    expect((await here.ask('GET', '/runs/t/events?until=idle')).status).toBe(200);
  });

  testEverywhere('is cut if nobody reads it, and costs the run nothing', async () => {
    const dropped: unknown[] = [];
    const engine = await openHere();
    const here = await served({
      engine,
      limits: { unreadBytes: 100_000, stallMs: 200 },
      observe: (event) => event.type === 'dropped' && dropped.push(event),
    });
    const run = await engine.start(ticker, { count: 400, size: 50_000 }, { id: 't' });
    // It never reads: the window of its connection fills up, then the server's buffer.
    const socket = connect(here.server.port, '127.0.0.1');
    socket.pause();
    const closed = new Promise((resolve) => {
      socket.once('close', resolve);
      socket.on('error', () => undefined);
    });
    const lines = [`Host: 127.0.0.1:${here.server.port}`, `Authorization: Bearer ${here.server.token}`];
    socket.write(`GET /api/v1/runs/t/events HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
    expect(await run.result()).toBe(400);
    await expect.poll(() => dropped).toEqual([{ type: 'dropped', by: 'local', runId: 't' }]);
    socket.resume();
    await closed;
    await expect.poll(async () => (await here.ask('GET', '/metrics')).body).toContain('holdfast_event_streams 0');
  });
});
