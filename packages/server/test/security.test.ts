// The security table, row by row: what comes over HTTP that no honest client sends.
import { connect } from 'node:net';
import { api, serve } from '@holdfast/server';
import { describe, expect, onTestFinished, test } from 'vitest';
import { graphs, openHere, refunds, type Served, served } from './fixture.ts';

/** What the server writes to a connection on which exactly this is sent, until it ends. */
function raw(port: number, text: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(text));
    let got = '';
    socket.on('data', (data) => {
      got += data.toString('latin1');
    });
    socket.on('close', () => resolve(got));
    socket.on('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ECONNRESET' || error.code === 'EPIPE' ? resolve(got) : reject(error),
    );
  });
}

function request(here: Served, line: string, headers: Readonly<Record<string, string>>, body = ''): Promise<string> {
  const all = {
    host: `127.0.0.1:${here.server.port}`,
    authorization: `Bearer ${here.server.token}`,
    connection: 'close',
    ...headers,
  };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}`);
  return raw(here.server.port, `${line} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

describe('the server refuses', () => {
  test.each(['evil.example', 'evil.example:80', '127.0.0.1.evil.example', 'localhost.evil', '', '0.0.0.0'])(
    'the host %j with 421',
    async (host) => {
      const here = await served();
      expect(await request(here, 'GET /api/v1/runs', { host })).toMatch(/^HTTP\/1\.1 4(?:21|00) /u);
      expect(await request(here, 'GET /', { host })).toMatch(/^HTTP\/1\.1 4(?:21|00) /u);
    },
  );

  test.each(['https://evil.example', 'null', 'http://127.0.0.1:1', 'file://', 'http://localhost.evil'])(
    'the origin %j with 403',
    async (origin) => {
      const here = await served();
      expect((await here.ask('GET', '/runs', undefined, { origin })).status).toBe(403);
      expect((await here.ask('POST', '/runs', {}, { origin })).status).toBe(403);
    },
  );

  test('requests of other sites with 403', async () => {
    const here = await served();
    for (const site of ['cross-site', 'same-site'])
      expect(await request(here, 'GET /api/v1/runs', { 'sec-fetch-site': site })).toMatch(/^HTTP\/1\.1 403 /u);
    for (const site of ['same-origin', 'none'])
      expect(await request(here, 'GET /api/v1/runs', { 'sec-fetch-site': site })).toMatch(/^HTTP\/1\.1 200 /u);
    expect((await here.ask('GET', '/runs', undefined, { origin: here.base })).status).toBe(200);
  });

  test.each([
    'text/plain',
    'application/x-www-form-urlencoded',
    'multipart/form-data; boundary=x',
    '',
    'application/json; charset=utf-16',
  ])('a body of type %j with 415', async (type) => {
    const here = await served();
    expect((await here.ask('POST', '/runs', {}, { 'content-type': type })).status).toBe(415);
  });

  test('compressed bodies with 415, and wrong methods with 405', async () => {
    const here = await served();
    expect((await here.ask('POST', '/runs', {}, { 'content-encoding': 'gzip' })).status).toBe(415);
    for (const [method, path, allow] of [
      ['PUT', '/runs', 'GET, HEAD, POST'],
      ['DELETE', '/runs', 'GET, HEAD, POST'],
      ['OPTIONS', '/runs', 'GET, HEAD, POST'],
      ['PATCH', '/runs/r', 'GET, HEAD, DELETE'],
      ['GET', '/runs/r/answer', 'POST'],
    ] as const) {
      const { status, headers } = await here.ask(method, path);
      expect([status, headers.get('allow')]).toEqual([405, allow]);
      expect(headers.get('access-control-allow-origin')).toBeNull();
    }
  });

  test('bodies that are too large, too deep or of too many values with 413, before they are parsed', async () => {
    const here = await served({ limits: { bodyBytes: 10_000, nodes: 500 } });
    const post = (body: string, headers: Record<string, string> = {}) =>
      fetch(`${here.base}/api/v1/runs`, {
        method: 'POST',
        body,
        headers: { authorization: `Bearer ${here.server.token}`, 'content-type': 'application/json', ...headers },
      });
    expect((await post('x'.repeat(10_001))).status).toBe(413);
    expect((await post(`${'['.repeat(65)}${']'.repeat(65)}`)).status).toBe(413);
    expect((await post(`[${'1,'.repeat(600)}1]`)).status).toBe(413);
    // Brackets in texts count for nothing.
    expect((await post(`{"graph":"${'['.repeat(100)}","input":{}}`)).status).toBe(404);
    expect((await post('{"graph"')).status).toBe(400);
    expect((await post('')).status).toBe(400);
    // A body whose length is not announced.
    const parts = `${(5_000).toString(16)}\r\n${'x'.repeat(5_000)}\r\n`.repeat(4);
    const chunked = { 'content-type': 'application/json', 'transfer-encoding': 'chunked' };
    expect(await request(here, 'POST /api/v1/runs', chunked, `${parts}0\r\n\r\n`)).toMatch(/^HTTP\/1\.1 413 /u);
  });

  test('headers that are too large with 431, and long URLs with 414', async () => {
    const here = await served();
    expect(await request(here, 'GET /api/v1/runs', { cookie: 'x'.repeat(20_000) })).toMatch(/^HTTP\/1\.1 431 /u);
    expect((await here.ask('GET', `/runs?q=${'x'.repeat(9_000)}`)).status).toBe(414);
  });

  test('slow requests: the connection is dropped', async () => {
    const here = await served({ limits: { bodyMs: 300 } });
    const slow = { 'content-type': 'application/json', 'content-length': '100' };
    expect(await request(here, 'POST /api/v1/runs', slow, '{"graph"')).toMatch(/^HTTP\/1\.1 408 /u);
    expect(await raw(here.server.port, 'GET /api/v1/runs HTTP/1.1\r\nHost: 127')).toMatch(/^(?:HTTP\/1\.1 408 |$)/u);
  });

  test('whoever has no token with 401, and takes the token of the printed URL as a cookie', async () => {
    const here = await served();
    expect((await fetch(`${here.base}/api/v1/runs`)).status).toBe(401);
    for (const token of ['', 'wrong', `${here.server.token}x`]) {
      const headers = { authorization: `Bearer ${token}` };
      expect((await fetch(`${here.base}/api/v1/runs`, { headers })).status).toBe(401);
      const opened = await fetch(`${here.base}/?token=${token}`, { redirect: 'manual' });
      expect(opened.headers.get('set-cookie')).toBeNull();
    }
    const opened = await fetch(here.server.url, { redirect: 'manual' });
    expect(opened.status).toBe(303);
    expect(opened.headers.get('location')).toBe('/');
    const cookie = opened.headers.get('set-cookie') ?? '';
    expect(cookie).toMatch(/; HttpOnly; SameSite=Strict; Path=\/$/u);
    const headers = { cookie: cookie.split(';')[0] as string };
    expect((await fetch(`${here.base}/api/v1/runs`, { headers })).status).toBe(200);
  });

  test('to listen for others without a token or authorize', async () => {
    const engine = await openHere();
    await expect(serve(engine, { graphs, host: '0.0.0.0' })).rejects.toThrow('pass a token');
    await expect(serve(engine, { graphs, token: 'short' })).rejects.toThrow('at least 16');
    expect(() => api(engine, { graphs } as never)).toThrow('needs authorize');
    expect(() => api(engine, { authorize: () => null, limits: { nope: 1 } as never })).toThrow('no limit');
    expect(() => api(engine, { authorize: () => null, limits: { depth: 0 } })).toThrow('1 or more');
  });

  test('commands in a read-only server, of read-only callers, and of those who are no administrators', async () => {
    const here = await served({ readOnly: true });
    expect((await here.ask('POST', '/runs', { graph: 'refunds', input: {} })).status).toBe(403);
    expect((await here.ask('GET', '/runs')).status).toBe(200);
    const reader = await served({ authorize: () => ({ by: 'r', readOnly: true }) });
    expect((await reader.ask('POST', '/prune', { keep: 1 })).status).toBe(403);
    const user = await served({ authorize: () => ({ by: 'u' }) });
    expect((await user.ask('POST', '/prune', { keep: 1 })).status).toBe(403);
    expect((await user.ask('DELETE', '/runs/x')).status).toBe(403);
  });

  test('a scope without a tag, and callers without a name, without saying why', async () => {
    for (const caller of [{ by: '' }, { by: 'x', scope: {} }, { by: 'x', scope: { a: 1 } }, 'ada']) {
      const errors: unknown[] = [];
      const here = await served({
        authorize: () => caller as never,
        observe: (event) => event.type === 'error' && errors.push(event.error),
      });
      expect(await here.ask('GET', '/runs')).toMatchObject({ status: 500, body: { error: { code: 'HTTP_INTERNAL' } } });
      expect(String(errors[0])).toContain('authorize() must return');
    }
  });
});

describe('the server answers', () => {
  test('with headers that let nothing run, be framed or be kept', async () => {
    const { headers } = await (await served()).ask('GET', '/runs');
    expect(Object.fromEntries(headers)).toMatchObject({
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
      'x-content-type-options': 'nosniff',
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
    });
  });

  test('unexpected errors with nothing but an id that the log has', async () => {
    const errors: { readonly id: string; readonly error: unknown }[] = [];
    const here = await served({
      authorize: () => {
        throw new Error('postgres://admin:hunter2@db');
      },
      observe: (event) => event.type === 'error' && errors.push(event),
    });
    const { status, body } = await here.ask('GET', '/runs');
    expect(status).toBe(500);
    expect(JSON.stringify(body)).not.toContain('hunter2');
    expect(JSON.stringify(body)).toContain(errors[0]?.id);
  });

  test('with control characters and bidi escaped, and data shaped like tags as plain data', async () => {
    const here = await served();
    const order = 'a\u0000\u009b\u202e\u2028<script>{"$date":1}';
    await here.engine.start(refunds, { order, cents: 1 }, { id: 'r' }).outcome();
    const response = await fetch(`${here.base}/api/v1/runs/r/state?as=json`, {
      headers: { authorization: `Bearer ${here.server.token}` },
    });
    const text = await response.text();
    expect(text).not.toMatch(/[\p{Cc}\p{Zl}\p{Bidi_Control}]/u);
    expect((JSON.parse(text) as { json: { order: string } }).json.order).toBe(order);
    const tagged = { order: '{"$bigint":"1"}', cents: 1 };
    await here.ask('POST', '/runs', { graph: 'refunds', input: tagged, id: 'tagged' });
    expect((await here.ask('GET', '/runs/tagged/state?as=json')).body).toMatchObject({ json: tagged });
  });

  test.each(['../../etc/passwd', 'a%2Fb', '.', '%00', 'x'.repeat(300), '%E2%80%AE', '__proto__', 'constructor', '%'])(
    'the run id %j with a refusal',
    async (id) => {
      const here = await served();
      for (const path of [`/runs/${id}`, `/runs/${id}/journal`, `/runs/x/checkpoints?before=${id}@1`])
        expect((await here.ask('GET', path)).status).toBeOneOf([400, 404]);
    },
  );

  test('without what is redacted', async () => {
    const here = await served({
      redact: ['/state/customer/email', '/state/cents', '/questions/approve/cents', '/errors', '/tags/who'],
    });
    const secret = { order: 'o', cents: 77, customer: { email: 'ada@example.com' } };
    await here.engine.start(refunds, secret, { id: 'r', tags: { who: 'ada@example.com' } }).outcome();
    await here.engine.start(graphs.failing, {}, { id: 'f' }).outcome();
    await here.engine.get('r').fork({ id: 'b', set: { customer: { email: 'bob@example.com' } } });
    const paths = [
      '/runs',
      '/runs/r',
      '/runs/f',
      '/asks',
      '/runs/r/state?as=json',
      '/runs/r/state?depth=9',
      '/runs/r/state?path=/customer/email',
      '/runs/r/state?path=/customer',
      '/runs/r/journal',
      '/runs/f/journal',
      '/runs/r/timeline',
      '/runs/f/timeline',
      '/runs/r/questions',
      '/runs/b/tree',
      '/runs/b/checkpoints',
      '/diff?from=r&to=b',
      '/runs/f/events?until=idle',
      '/runs/r/events?until=idle',
    ];
    for (const path of paths) {
      const { status, body } = await here.ask('GET', path);
      expect(status).toBe(200);
      expect([path, JSON.stringify(body)]).not.toEqual([
        path,
        expect.stringMatching(/example\.com|hunter2|"cents":77/u),
      ]);
    }
    const set = { cents: 78, customer: { email: 'eve@example.com' } };
    const { body: preview } = await here.ask('POST', '/runs/r/fork/preview', { set });
    expect(preview).toMatchObject({ patch: [] });
    expect((await here.ask('GET', '/runs/r/state?as=json')).body).toMatchObject({
      json: { order: 'o', customer: { email: '[redacted]' } },
    });
    const engine = await openHere();
    expect(() => api(engine, { authorize: () => null, redact: ['state/x'] })).toThrow('matches nothing');
  });

  test('too large a state with 413 unless it is asked for by path', async () => {
    const here = await served({ limits: { stateLength: 1_000 } });
    await here.engine.start(refunds, { order: 'x'.repeat(2_000), cents: 1 }, { id: 'r' }).outcome();
    expect((await here.ask('GET', '/runs/r/state?as=json')).status).toBe(413);
    expect((await here.ask('GET', '/runs/r/state?path=/order')).status).toBe(200);
  });

  test('commands to the log, with who gave them', async () => {
    const events: unknown[] = [];
    const here = await served({ observe: (event) => events.push(event), by: 'ada' });
    await here.engine.start(refunds, { order: 'o', cents: 1 }, { id: 'r' }).outcome();
    await here.ask('POST', '/runs/r/answer', { name: 'approve', value: { ok: true } });
    await here.ask('POST', '/runs/r/answer', { name: 'approve', value: 5 });
    expect(events).toMatchObject([
      { type: 'command', command: 'answer', by: 'ada', runId: 'r', status: 200 },
      { type: 'command', command: 'answer', by: 'ada', runId: 'r', status: 0 },
    ]);
  });
});

test('a closed engine is a 503 that says nothing of the store', async () => {
  const engine = await openHere();
  const here = await served({ engine });
  await engine.close();
  expect((await here.ask('GET', '/health')).status).toBe(503);
  expect(await here.ask('GET', '/runs')).toMatchObject({
    status: 503,
    body: { error: { code: 'HOLDFAST_STORE_CLOSED' } },
  });
  onTestFinished(() => here.server.close());
});
