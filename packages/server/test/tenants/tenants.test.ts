// One server for several tenants: nobody sees, answers or counts what is not theirs.
import { serve } from '@holdfast/server';
import * as fc from 'fast-check';
import { expect, onTestFinished } from 'vitest';
import { routes } from '../../src/route/all.ts';
import { testEverywhere } from '../every-store.ts';
import { type Ask, askAt, graphs, openHere } from '../fixture.ts';
import { faultIn } from './judge.ts';
import { requestsTo } from './requests.ts';
import { fill, fillBoth } from './scene.ts';

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

testEverywhere('a tenant never sees, answers or counts runs of another, by any route', async () => {
  const { engine, as } = await shared();
  const pool = await fillBoth(engine);
  const before = await engine.runs({ tags: { tenant: 'umbrella' } }).toArray();
  const ask = as('acme');
  const all = routes.filter(({ access }) => access !== 'public').map(({ id }) => id);
  await fc.assert(
    fc.asyncProperty(requestsTo(all, pool), async (request) => {
      const answer = await ask(request.method, request.path, request.body);
      expect([request, answer.body, await faultIn(engine, request, answer)]).toEqual([request, answer.body, undefined]);
    }),
    { numRuns: 300 },
  );
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
  await fillBoth(engine);
  const ask = as('acme');
  expect((await ask('GET', '/runs/acme-given')).body).toMatchObject({ id: 'acme-given', forkedAt: null });
  const { body } = await ask('GET', '/runs/acme-given/state?as=json');
  expect(body).toMatchObject({ json: { order: 'mine' } });
  for (const view of ['journal', 'checkpoints', 'tree', 'timeline', 'events?until=idle'])
    expect([view, JSON.stringify((await ask('GET', `/runs/acme-given/${view}`)).body)]).not.toEqual([
      view,
      expect.stringContaining('umbrella'),
    ]);
  // Its history before the fork is read under its own name, and is not its own.
  for (const path of ['/runs/acme-given/state?at=acme-given@1', '/diff?from=acme-given@1&to=acme-given'])
    expect([path, (await ask('GET', path)).status]).toEqual([path, 404]);
  const runs = await engine.runs().toArray();
  for (const given of [{ at: 'acme-given@1' }, { before: 'lookup' }, { before: 'lookup', resume: true }])
    expect([given, (await ask('POST', '/runs/acme-given/fork', given)).status]).toEqual([given, 404]);
  expect(await engine.runs().toArray()).toHaveLength(runs.length);
});
