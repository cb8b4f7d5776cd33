// One server for several tenants: nobody sees, answers or counts what is not theirs.
import { serve } from '@holdfast/server';
import * as fc from 'fast-check';
import { expect, onTestFinished } from 'vitest';
import { testEverywhere } from './every-store.ts';
import { type Ask, askAt, graphs, openHere, outer, refunds, ticker } from './fixture.ts';

const tenants = ['acme', 'umbrella'] as const;

/** A server whose callers are the tenant that they say they are. */
async function shared() {
  const engine = await openHere();
  const server = await serve(engine, {
    graphs,
    authorize: (request) => {
      const tenant = request.headers.get('x-tenant');
      return tenant === null ? null : { by: tenant, scope: { tenant }, admin: true };
    },
  });
  onTestFinished(() => server.close());
  const base = `http://127.0.0.1:${server.port}`;
  return { engine, as: (tenant: string): Ask => askAt(base, { 'x-tenant': tenant }) };
}

/** Runs of a tenant, each with a name that says whose it is. */
async function fill(engine: Awaited<ReturnType<typeof openHere>>, tenant: string) {
  const tags = { tenant };
  const input = { order: `secret-of-${tenant}`, cents: 1 };
  await engine.start(refunds, input, { id: `${tenant}-asks`, tags }).outcome();
  await engine.start(outer, {}, { id: `${tenant}-outer`, tags }).outcome();
  await engine.start(ticker, { count: 6, stays: true }, { id: `${tenant}-ticks`, tags }).outcome();
  await engine.get(`${tenant}-asks`).fork({ id: `${tenant}-fork` });
  await engine.journal.append(`${tenant}-loop`, { payload: `secret-of-${tenant}` }, { tags });
  await engine.checkpoints.save(`${tenant}-loop`, { state: { secret: `secret-of-${tenant}` }, tags });
  const runs = await engine.runs({ tags }).toArray();
  const asks = await engine.asks({ tags }).toArray();
  return { ids: runs.map(({ id }) => id), asks };
}

/** What an answer tells of the other tenant. A refusal may repeat the id that the request itself named. */
function told(body: unknown): string {
  const text = JSON.stringify(body);
  const isError = typeof body === 'object' && body !== null && 'error' in body;
  return text.includes('secret-of-umbrella') || (!isError && text.includes('umbrella')) ? text : 'nothing';
}

const verbs = ['answer', 'send', 'settle', 'resume', 'cancel', 'fork'] as const;

testEverywhere('a tenant never sees, answers or counts runs of another, by any route', async () => {
  const { engine, as } = await shared();
  const [mine, theirs] = [await fill(engine, 'acme'), await fill(engine, 'umbrella')];
  const before = await engine.runs({ tags: { tenant: 'umbrella' } }).toArray();
  const ask = as('acme');
  const own = fc.constantFrom(...mine.ids);
  const foreign = fc.constantFrom(...theirs.ids);
  const either = fc.oneof(own, foreign);
  const place = fc.tuple(either, fc.nat(9)).map(([id, seq]) => (seq === 0 ? id : `${id}@${seq}`));
  const encoded = place.map(encodeURIComponent);
  const question = fc.constantFrom(...theirs.asks.map(({ id }) => id));
  const get = fc.oneof(
    either.map((id) => `/runs/${id}`),
    either.map((id) => `/runs/${id}/tree`),
    either.map((id) => `/runs/${id}/journal`),
    either.map((id) => `/runs/${id}/timeline`),
    either.map((id) => `/runs/${id}/questions`),
    either.map((id) => `/runs/${id}/events?until=idle`),
    either.map((id) => `/runs?after=${id}`),
    either.map((id) => `/runs?q=${encodeURIComponent(`parent:${id}`)}`),
    either.map((id) => `/runs?q=${encodeURIComponent(`fork-of:${id}`)}`),
    either.map((id) => `/runs?q=${encodeURIComponent(`id:${id}`)}`),
    either.map((id) => `/asks?run=${id}`),
    question.map((id) => `/asks?after=${encodeURIComponent(id)}`),
    fc.tuple(either, encoded).map(([id, at]) => `/runs/${id}/state?as=json&at=${at}`),
    fc.tuple(either, encoded).map(([id, at]) => `/runs/${id}/checkpoints?before=${at}`),
    fc.tuple(encoded, encoded).map(([from, to]) => `/diff?from=${from}&to=${to}`),
    fc.constantFrom(...tenants).map((tenant) => `/runs?q=${encodeURIComponent(`tag:tenant=${tenant}`)}`),
    fc.constantFrom(...tenants).map((tenant) => `/runs/count?q=${encodeURIComponent(`tag:tenant=${tenant}`)}`),
    fc.constantFrom(
      '/runs',
      '/runs?q=umbrella',
      '/asks',
      '/overview',
      '/store',
      '/graphs',
      '/metrics',
      '/runs/count',
      '/graphs/refunds/check',
    ),
  );
  const input = { order: 'x', cents: 1 };
  const post = fc.oneof(
    fc.tuple(foreign, fc.constantFrom(...verbs), place, question).map(([id, verb, at, wait]) => {
      const bodies = {
        answer: { name: 'approve', value: { ok: true }, id: wait },
        send: { name: 'stop', value: {} },
        settle: { key: wait, outcome: 'retry' },
        resume: {},
        cancel: {},
        fork: { at },
      };
      return [`/runs/${id}/${verb}`, bodies[verb]] as const;
    }),
    fc.tuple(own, foreign).map(([id, other]) => [`/runs/${id}/fork`, { at: `${other}@1` }] as const),
    fc.tuple(own, foreign).map(([id, other]) => [`/runs/${id}/fork/preview`, { at: `${other}@1` }] as const),
    fc.tuple(foreign, place).map(([id, at]) => [`/runs/${id}/fork/preview`, { at }] as const),
    own.map((id) => [`/runs/${id}/fork`, { tags: { tenant: 'umbrella' } }] as const),
    fc
      .tuple(own, question)
      .map(([id, wait]) => [`/runs/${id}/answer`, { name: 'approve', value: { ok: true }, id: wait }] as const),
    foreign.map((id) => ['/runs', { graph: 'refunds', input, id }] as const),
    foreign.map((id) => ['/runs', { graph: 'refunds', input: { order: 'secret-of-umbrella', cents: 1 }, id }] as const),
    foreign.map((id) => ['/runs', { graph: 'ticker', input: { count: 1 }, id, turn: 't1' }] as const),
    fc.constant(['/runs', { graph: 'refunds', input, tags: { tenant: 'umbrella' } }] as const),
    foreign.map((id) => ['/prune', { runId: id, keep: 0, apply: true }] as const),
    fc.constant(['/prune', { keep: 0, apply: true }] as const),
  );
  await fc.assert(
    fc.asyncProperty(get, async (path) => {
      const { status, body } = await ask('GET', path);
      expect(status).toBeLessThan(500);
      expect([path, told(body)]).toEqual([path, 'nothing']);
      expect([path, path.startsWith('/runs/umbrella-') ? status : 404]).toEqual([path, 404]);
    }),
    { numRuns: 160 },
  );
  await fc.assert(
    fc.asyncProperty(post, async ([path, given]) => {
      const { status, body } = await ask('POST', path, given);
      expect([path, given, status]).toEqual([
        path,
        given,
        expect.toSatisfy((code: number) => code >= 400 && code < 500),
      ]);
      expect([path, told(body)]).toEqual([path, 'nothing']);
    }),
    { numRuns: 100 },
  );
  for (const id of theirs.ids) expect((await ask('DELETE', `/runs/${id}`)).status).toBe(404);
  // Nothing of theirs has changed.
  expect(await engine.runs({ tags: { tenant: 'umbrella' } }).toArray()).toEqual(before);
});

testEverywhere('a tenant has what is theirs: child runs, their questions, forks and counts', async () => {
  const { engine, as } = await shared();
  await fill(engine, 'acme');
  await fill(engine, 'umbrella');
  const ask = as('acme');
  const { runs } = (await ask('GET', '/runs')).body as { runs: { id: string; tags: { tenant: string } }[] };
  expect(runs).toHaveLength(6);
  const { asks } = (await ask('GET', '/asks')).body as { asks: { runId: string; id: string }[] };
  expect(asks).toHaveLength(2);
  expect((await ask('GET', '/overview')).body).toMatchObject({ asks: { count: 2 }, runs: { suspended: { count: 1 } } });
  expect((await ask('GET', '/runs/count')).body).toEqual({ count: 6, isCut: false });
  const started = await ask('POST', '/runs', { graph: 'refunds', input: { order: 'n', cents: 1 } });
  expect(started.body).toMatchObject({ run: { tags: { tenant: 'acme' } } });
  const answered = await ask('POST', '/runs/acme-outer/answer', { name: 'inner/approve', value: { ok: true } });
  expect(answered.status).toBe(200);
  await engine.get('acme-outer').result();
});

testEverywhere('a fork whose base belongs to someone else shows nothing of it', async () => {
  const { engine, as } = await shared();
  await fill(engine, 'umbrella');
  await engine.get('umbrella-asks').fork({ id: 'given', tags: { tenant: 'acme' } });
  const ask = as('acme');
  expect((await ask('GET', '/runs/given')).body).toMatchObject({ id: 'given', forkedAt: null });
  for (const path of ['/runs/given/journal', '/runs/given/checkpoints', '/runs/given/tree', '/runs/given/timeline'])
    expect(JSON.stringify((await ask('GET', path)).body)).not.toContain('umbrella-');
});
