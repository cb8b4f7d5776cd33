// The typed client and the hooks, against a real server.

import { api } from '@holdfast/server';
import { Client, ClientError } from '@holdfast/server/client';
import { hooks as preactHooks } from '@holdfast/server/preact';
import { hooks } from '@holdfast/server/react';
import { sqliteStore } from 'holdfast/sqlite';
import { createElement } from 'react';
import { renderToString } from 'react-dom/server';
import { expect, expectTypeOf, test } from 'vitest';
import { hooksOf, type Library } from '../src/hooks/hooks.ts';
import { routes } from '../src/route/all.ts';
import { pathHere } from './every-store.ts';
import { graphs, openHere, served } from './fixture.ts';

/** The type of a server, as a page imports it. */
async function typedServer() {
  return api(await openHere(), { graphs, authorize: () => null });
}
type Typed = Awaited<ReturnType<typeof typedServer>>;

async function here() {
  const { engine, server, base } = await served();
  return { engine, server, base, client: new Client<Typed>({ url: base, token: server.token }) };
}

test('does what the API can', async () => {
  const { engine, client } = await here();
  const { run } = await client.start('refunds', { order: 'o', cents: 5 }, { id: 'r', tags: { a: 'b' } });
  expect(run.id).toBe('r');
  await engine.get('r').outcome();
  expect((await client.runs('status:waiting', { limit: 1 })).runs).toMatchObject([{ id: 'r' }]);
  expect(await client.count()).toEqual({ count: 1, isCut: false });
  expect(await client.run('r')).toMatchObject({ open: [{ name: 'approve' }] });
  expect((await client.asks({ run: 'r' })).asks).toMatchObject([{ name: 'approve' }]);
  expect(await client.overview()).toMatchObject({ asks: { count: 1 } });
  expect((await client.timeline('r')).spans).toMatchObject([{}, { kind: 'ask', status: 'waiting' }, {}]);
  expect((await client.questions('r')).questions).toMatchObject([{ name: 'approve', status: 'open' }]);
  expect(await client.previewFork('r', { set: { cents: 9 } })).toMatchObject({ patch: [{ path: '/cents', after: 9 }] });
  expect(await client.check('refunds')).toMatchObject({ versions: [{ unfinished: 1, stranded: 0 }] });
  const { run: fork } = await client.fork('r', { set: { cents: 9 } });
  expect((await client.tree('r', { n: 1 })).runs).toHaveLength(2);
  expect((await client.checkpoints(fork.id, { own: true })).checkpoints).toMatchObject([{ kind: 'fork' }]);
  expect((await client.diff('r', fork.id)).changes).toMatchObject([{ path: '/cents', after: 9 }]);
  await client.resume(fork.id);
  await client.cancel(fork.id, 'no');
  await client.answer('r', 'approve', { ok: true });
  await engine.get('r').result();
  expect((await client.state('r', { as: 'json' })).json).toMatchObject({ log: ['looked up o', 'approved'] });
  expect((await client.checkpoints('r', { limit: 1 })).checkpoints).toHaveLength(1);
  expect((await client.journal('r', { tail: 1 })).records).toMatchObject([{ kind: 'run-end' }]);
  expect(await client.prune({ keep: 0 })).toMatchObject({ dryRun: true });
  expect((await client.graphs()).map(({ name }) => name)).toContain('refunds');
  expect((await client.store()).graphs).toMatchObject([{ graph: 'refunds', runs: 2 }]);
  expect(await client.caller()).toMatchObject({ by: 'local' });
  const { run: ticks } = await client.start('ticker', { count: 1, stays: true });
  await engine.get(ticks.id).outcome();
  await client.send(ticks.id, 'stop', {}, { id: 'm' });
  const refused = client.settle(ticks.id, 'k', 'retry');
  await expect(refused).rejects.toBeInstanceOf(ClientError);
  await expect(refused).rejects.toMatchObject({ status: 404, code: 'HOLDFAST_NOT_FOUND' });
  expect(await client.delete(fork.id)).toEqual({ deleted: true });
  await expect(client.run('../x')).rejects.toMatchObject({ status: 400, code: 'HOLDFAST_INVALID_ID' });
});

test('is typed by the server', () => {
  expectTypeOf<Parameters<Client<Typed>['start']>[0]>().toEqualTypeOf<'refunds' | 'ticker' | 'failing' | 'outer'>();
  const client = new Client<Typed>();
  // @ts-expect-error: the input of another graph
  const wrong = (): unknown => client.start('ticker', { order: 'o', cents: 1 });
  const untyped = new Client();
  const any = (): unknown => untyped.start('whatever', { any: 'thing' });
  expect([wrong, any]).toHaveLength(2);
  const { useRun } = hooks<Typed>();
  const used = (): readonly string[] | undefined => useRun('refunds', 'r').state?.log;
  const emitted = (): readonly string[] => preactHooks<Typed>().useRun('ticker', 't').emits;
  expect([used, emitted]).toHaveLength(2);
  const approve = (): Promise<void> => useRun('refunds', 'r').answer('approve', { ok: true });
  // @ts-expect-error: the answer of another question
  const misapprove = (): Promise<void> => useRun('refunds', 'r').answer('approve', { ok: 'yes' });
  // @ts-expect-error: no question of this graph
  const misspell = (): Promise<void> => useRun('refunds', 'r').answer('aprove', { ok: true });
  const stop = (): Promise<void> => useRun('ticker', 't').send('stop', {}, { id: 'm' });
  // @ts-expect-error: this graph receives nothing
  const unheard = (): Promise<void> => useRun('refunds', 'r').send('stop', {});
  const { useRun: useAny } = hooks();
  const free = (): Promise<void> => useAny('whatever', 'r').answer('anything', { any: 'thing' });
  expect([approve, misapprove, misspell, stop, unheard, free]).toHaveLength(6);
});

test('has every event once, however often the connection is cut', async () => {
  const { engine, server, base } = await here();
  const run = await engine.start(graphs.ticker, { count: 30, stays: true }, { id: 't' });
  await run.outcome();
  let connections = 0;
  const cutting: typeof fetch = async (...given) => {
    const response = await fetch(...given);
    connections += 1;
    if (connections > 6 || response.body === null) return response;
    // The connection breaks in the middle of a message.
    let left = 700;
    const cut = new TransformStream<Uint8Array, Uint8Array>({
      transform(part, controller) {
        controller.enqueue(part.subarray(0, left));
        left -= part.length;
        if (left <= 0) controller.error(new Error('cut'));
      },
    });
    return new Response(response.body.pipeThrough(cut), response);
  };
  const client = new Client({ url: base, token: server.token, fetch: cutting });
  const states = new Set<string>();
  const seen: string[] = [];
  await run.send('stop', {});
  for await (const { cursor } of client.events('t', { onConnection: (state) => states.add(state) })) seen.push(cursor);
  const wanted: string[] = [];
  for await (const { cursor } of run.events()) wanted.push(cursor);
  expect(seen).toEqual(wanted);
  expect(connections).toBe(7);
  expect([...states]).toEqual(['live', 'reconnecting']);
  const missing = client.events('nope')[Symbol.asyncIterator]();
  await expect(missing.next()).rejects.toMatchObject({ status: 404 });
});

/** Just enough of React to run hooks: one component, rendered again after every change. */
function mounted<T>(use: (library: Library) => () => T) {
  const states: unknown[] = [];
  const effects: (readonly unknown[])[] = [];
  const ends: (() => void)[] = [];
  let at = 0;
  let current: T;
  const library: Library = {
    useState: <S>(initial: S) => {
      const place = at++;
      if (states.length <= place) states.push(initial);
      const change = (value: S): void => {
        states[place] = value;
        render();
      };
      return [states[place] as S, change] as const;
    },
    useEffect: (effect, inputs) => {
      const place = at++;
      const before = effects[place];
      if (before !== undefined && inputs.every((input, index) => Object.is(input, before[index]))) return;
      effects[place] = inputs;
      states[place] = undefined;
      ends[place]?.();
      queueMicrotask(() => {
        ends[place] = effect();
      });
    },
  };
  const body = use(library);
  function render(): void {
    at = 0;
    current = body();
  }
  render();
  return { now: () => current, end: () => ends.forEach((end) => end()) };
}

test('useRun() follows a run, and answers it', async () => {
  const { engine, server, base } = await here();
  await engine.start(graphs.refunds, { order: 'o', cents: 5 }, { id: 'r' }).outcome();
  const page = mounted((library) => {
    const { useRun } = hooksOf<Typed>(library, { url: base, token: server.token });
    return () => useRun('refunds', 'r');
  });
  expect(page.now()).toMatchObject({ status: undefined, connection: 'connecting', waits: [] });
  await expect.poll(() => page.now().connection).toBe('live');
  expect(page.now()).toMatchObject({ status: 'waiting', waits: [{ name: 'approve' }], state: { order: 'o' } });
  await page.now().answer('approve', { ok: true });
  await expect.poll(() => page.now().connection).toBe('ended');
  expect(page.now()).toMatchObject({
    status: 'completed',
    state: { log: ['looked up o', 'approved'] },
    error: undefined,
  });
  await expect(page.now().answer('approve', { ok: false })).rejects.toMatchObject({
    code: 'HOLDFAST_ALREADY_ANSWERED',
  });
  page.end();
});

test('useRun() shows emits, sends, cancels, and says what is wrong', async () => {
  const { engine, server, base } = await here();
  await engine.start(graphs.ticker, { count: 2, stays: true }, { id: 't' }).outcome();
  const options = { url: base, token: server.token };
  const page = mounted((library) => () => hooksOf<Typed>(library, options).useRun('ticker', 't'));
  await expect.poll(() => page.now().emits).toEqual(['0:x', '1:x']);
  await page.now().send('stop', {});
  await expect.poll(() => page.now().status).toBe('completed');
  await expect(page.now().cancel('late')).resolves.toBeUndefined();
  await expect(page.now().resume()).resolves.toBeUndefined();
  page.end();
  const missing = mounted((library) => () => hooksOf<Typed>(library, options).useRun('ticker', 'nope'));
  await expect.poll(() => missing.now().error).toMatchObject({ status: 404 });
  missing.end();
});

test('useAsks() is an inbox', async () => {
  const { engine, server, base } = await here();
  await engine.start(graphs.refunds, { order: 'o', cents: 5 }, { id: 'r' }).outcome();
  const page = mounted((library) => {
    const { useAsks } = hooksOf<Typed>(library, { url: base, token: server.token });
    return () => useAsks({ graph: 'refunds', every: 50 });
  });
  await expect.poll(() => page.now().asks).toHaveLength(1);
  const [ask] = page.now().asks;
  if (ask === undefined) throw new Error('There is no question.');
  await page.now().answer(ask, { ok: true });
  await expect.poll(() => page.now().asks).toEqual([]);
  await server.close();
  await expect.poll(() => page.now().error).toBeDefined();
  page.end();
});

test('the hooks of React render on a server', () => {
  const { useRun, useAsks } = hooks<Typed>({ url: '/holdfast' });
  const Page = () => createElement('p', null, useRun('refunds', 'r').connection, useAsks().asks.length);
  expect(renderToString(createElement(Page))).toContain('connecting');
});

test('has a method for every route of the document', async () => {
  const { server, base, engine } = await here();
  const asked = new Set<string>();
  const listening: typeof fetch = async (input, init) => {
    const { pathname } = new URL(input as string);
    asked.add(
      `${init?.method ?? 'GET'} ${pathname
        .replace('/api/v1', '')
        .replace(/^(\/runs\/)r(?=\/|$)/u, '$1{runId}')
        .replace('/refunds', '/{name}')}`,
    );
    return fetch(input, init);
  };
  const client = new Client({ url: base, token: server.token, fetch: listening });
  await engine.start(graphs.refunds, { order: 'o', cents: 5 }, { id: 'r' }).outcome();
  await Promise.all([
    client.overview(),
    client.runs(),
    client.count(),
    client.run('r'),
    client.tree('r'),
    client.checkpoints('r'),
    client.timeline('r'),
    client.questions('r'),
    client.state('r'),
    client.diff('r', 'r'),
    client.journal('r'),
    client.asks(),
    client.previewFork('r'),
    client.graphs(),
    client.check('refunds'),
    client.store(),
    client.caller(),
    client.prune({ keep: 1 }),
  ]);
  expect((await client.graph('refunds')).name).toBe('refunds');
  expect(await client.health()).toEqual({ status: 'ok' });
  expect(await client.metrics()).toContain('holdfast_http_requests_total{status="200"}');
  expect(await client.openApi()).toMatchObject({ openapi: '3.1.0' });
  await client.fork('r');
  const refused = await Promise.allSettled([
    client.answer('r', 'none', 1),
    client.send('r', 'none', 1),
    client.settle('r', 'none', 'retry'),
    client.import(new Uint8Array()),
    client.start('none', {}),
    client.resume('r'),
  ]);
  expect(refused.map(({ status }) => status)).toContain('rejected');
  await client.cancel('r');
  await client.events('r')[Symbol.asyncIterator]().next();
  await client.delete('r');
  expect([...asked].toSorted()).toEqual(routes.map(({ method, path }) => `${method.toUpperCase()} ${path}`).toSorted());
});

test('takes a connection for lost on which nothing arrives', async () => {
  const { engine, server, base } = await here();
  await engine.start(graphs.ticker, { count: 1, stays: true }, { id: 't' }).outcome();
  let connections = 0;
  const silent: typeof fetch = async (input, init) => {
    connections += 1;
    if (connections > 1) return fetch(input, init);
    // A network that is gone: the connection stays, and brings nothing.
    return new Response(
      new ReadableStream({
        start: (controller) => init?.signal?.addEventListener('abort', () => controller.error(new Error('aborted'))),
      }),
    );
  };
  const client = new Client({ url: base, token: server.token, fetch: silent });
  const states: string[] = [];
  for await (const { type } of client.events('t', {
    until: 'idle',
    silenceMs: 200,
    onConnection: (state) => states.push(state),
  }))
    if (type === 'emit') break;
  expect(states).toEqual(['live', 'reconnecting', 'live']);
});

test('comes back to a server that was shut down', async () => {
  const path = pathHere();
  const first = await openHere({}, sqliteStore(path));
  await first.start(graphs.ticker, { count: 1, stays: true }, { id: 't' }).outcome();
  const old = await served({ engine: first });
  const next = await served({ engine: await openHere({}, sqliteStore(path)), token: old.server.token });
  let base = old.base;
  const moving: typeof fetch = (input, init) => fetch((input as string).replace('http://moving', base), init);
  const client = new Client({ url: 'http://moving', token: old.server.token, fetch: moving });
  const states: string[] = [];
  const types: string[] = [];
  const reading = (async () => {
    for await (const { type } of client.events('t', { onConnection: (state) => states.push(state) })) types.push(type);
  })();
  await expect.poll(() => types).toContain('wait');
  base = next.base;
  await first.close();
  await expect.poll(() => states).toEqual(['live', 'reconnecting', 'live']);
  await next.engine.get('t').send('stop', {});
  await reading;
  expect(types.filter((type) => type === 'run-end')).toHaveLength(1);
});

test('useRun() asks a few times about a run with a long history', async () => {
  const { engine, server, base } = await here();
  await engine.start(graphs.ticker, { count: 500 }, { id: 't' }).result();
  let requests = 0;
  const counting: typeof fetch = (input, init) => {
    requests += 1;
    return fetch(input, init);
  };
  const page = mounted(
    (library) => () =>
      hooksOf<Typed>(library, { url: base, token: server.token, fetch: counting }).useRun('ticker', 't'),
  );
  await expect.poll(() => page.now().connection).toBe('ended');
  expect(page.now().emits).toHaveLength(500);
  expect(page.now().emits.at(-1)).toBe('499:x');
  // 500 emits and 100 steps; before, each change was asked about.
  expect(requests).toBeLessThan(60);
  page.end();
});
