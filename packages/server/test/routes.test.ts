// Every route of the API, on SQLite, over HTTP.
import { expect } from 'vitest';
import { testEverywhere } from './every-store.ts';
import { refunds as engineGraph, served } from './fixture.ts';

async function waiting(id = 'r1') {
  const here = await served();
  const input = { order: 'ord_81', cents: 12_000 };
  const started = await here.ask('POST', '/runs', { graph: 'refunds', input, id, tags: { eu: 'yes' } });
  await here.engine.get(id).outcome();
  return { ...here, started };
}

testEverywhere('starts a run, shows it, answers it and shows what it returned', async () => {
  const { ask, engine, started } = await waiting();
  expect(started).toMatchObject({ status: 201, body: { run: { id: 'r1', graph: 'refunds' }, cursor: '0' } });
  expect(await ask('GET', '/runs/r1')).toMatchObject({
    status: 200,
    body: {
      status: 'waiting',
      tags: { eu: 'yes' },
      next: ['approve'],
      open: [{ kind: 'ask', name: 'approve', show: { cents: 12_000 } }],
    },
  });
  const asks = await ask('GET', '/asks');
  expect(asks.body).toMatchObject({
    asks: [{ runId: 'r1', name: 'approve', answerSchema: { type: 'object', properties: { ok: { type: 'boolean' } } } }],
    next: null,
  });
  expect(await ask('POST', '/runs/r1/answer', { name: 'approve', value: { ok: 'maybe' } })).toMatchObject({
    status: 400,
    body: { error: { code: 'HOLDFAST_INVALID_VALUE' } },
  });
  expect((await ask('POST', '/runs/r1/answer', { name: 'approve', value: { ok: true } })).status).toBe(200);
  await engine.get('r1').result();
  expect(await ask('GET', '/runs/r1')).toMatchObject({
    body: { status: 'completed', open: [], output: { order: 'ord_81', log: ['looked up ord_81', 'approved'] } },
  });
  const second = await ask('POST', '/runs/r1/answer', { name: 'approve', value: { ok: false } });
  expect(second).toMatchObject({ status: 409, body: { error: { code: 'HOLDFAST_ALREADY_ANSWERED' } } });
  expect(second.body).toMatchObject({ error: { message: expect.stringContaining('local') } });
});

testEverywhere('lists runs in keyset pages, by the grammar of queries', async () => {
  const { ask, engine } = await served();
  for (let at = 0; at < 7; at += 1)
    await engine.start(
      engineGraph,
      { order: `o${at}`, cents: 1 },
      { id: `r${at}`, tags: { n: String(at), eu: 'yes' } },
    );
  await engine.get('r6').outcome();
  const seen: string[] = [];
  let next: string | null = '';
  while (next !== null) {
    const page = await ask('GET', `/runs?limit=3${next === '' ? '' : `&after=${next}`}`);
    const body = page.body as { runs: { id: string }[]; next: string | null };
    seen.push(...body.runs.map(({ id }) => id));
    next = body.next;
  }
  expect(seen).toEqual(['r6', 'r5', 'r4', 'r3', 'r2', 'r1', 'r0']);
  const list = async (q: string) =>
    ((await ask('GET', `/runs?q=${encodeURIComponent(q)}`)).body as { runs: { id: string }[] }).runs.map(
      ({ id }) => id,
    );
  expect(await list('tag:n=3')).toEqual(['r3']);
  expect(await list('tag:eu graph:refunds "R2"')).toEqual(['r2']);
  expect(await list('tag:missing')).toEqual([]);
  expect(await list('age>1h')).toEqual([]);
  expect(await list('age<1h id:r1')).toEqual(['r1']);
  expect(await list('parent:none status:completed,failed')).toEqual([]);
  expect(await ask('GET', '/runs?q=foo%3Abar')).toMatchObject({ status: 400 });
  expect(await ask('GET', '/runs?q=status%3Anew')).toMatchObject({ status: 400 });
  expect(await ask('GET', '/runs?after=nope')).toMatchObject({ status: 400 });
  expect((await ask('GET', '/runs/count?q=tag%3Aeu')).body).toEqual({ count: 7, isCut: false });
});

testEverywhere('shows the history, the state by path and slice, and differences', async () => {
  const { ask, engine } = await waiting();
  await engine.get('r1').answer('approve', { ok: true });
  await engine.get('r1').result();
  const { body } = await ask('GET', '/runs/r1/checkpoints?limit=2');
  const { checkpoints, next } = body as { checkpoints: { id: string }[]; next: string };
  expect(checkpoints).toMatchObject([
    { runId: 'r1', superstep: 2, status: 'completed' },
    { runId: 'r1', superstep: 1 },
  ]);
  expect((await ask('GET', `/runs/r1/checkpoints?before=${next}`)).body).toMatchObject({
    checkpoints: [{ superstep: 0 }],
    next: null,
  });
  expect((await ask('GET', '/runs/r1/state?path=/log&from=1&n=1')).body).toMatchObject({
    path: '/log',
    node: { kind: 'list', size: 2, from: 1, items: [{ key: 1, node: { kind: 'string', value: 'approved' } }] },
  });
  expect((await ask('GET', '/runs/r1/state?depth=1')).body).toMatchObject({
    node: { kind: 'object', items: expect.arrayContaining([{ key: 'log', node: { kind: 'list', size: 2 } }]) },
  });
  expect((await ask('GET', `/runs/r1/state?as=json&at=${next}`)).body).toMatchObject({
    json: { order: 'ord_81', log: ['looked up ord_81'] },
  });
  expect((await ask('GET', '/runs/r1/state?path=/nope')).status).toBe(404);
  expect((await ask('GET', '/runs/r1/state?path=log')).status).toBe(400);
  const [newest] = checkpoints;
  expect((await ask('GET', `/diff?from=${next}&to=${newest?.id}`)).body).toEqual({
    changes: [{ op: 'add', path: '/log/1', after: 'approved' }],
    next: null,
  });
});

testEverywhere('forks with an edited state, shows the tree, resumes and cancels', async () => {
  const { ask } = await waiting();
  const fork = await ask('POST', '/runs/r1/fork', { before: 'approve', set: { cents: 5 }, label: 'what-if', id: 'f1' });
  expect(fork).toMatchObject({ status: 201, body: { run: { id: 'f1', status: 'suspended', tags: { eu: 'yes' } } } });
  expect((await ask('GET', '/runs/f1/tree')).body).toMatchObject({ root: 'r1', runs: [{ id: 'r1' }, { id: 'f1' }] });
  expect((await ask('POST', '/runs/f1/resume')).status).toBe(200);
  const cancelled = await ask('POST', '/runs/f1/cancel', { reason: 'enough' });
  expect(cancelled.body).toMatchObject({ run: { status: 'cancelled' } });
  expect((await ask('GET', '/runs/f1')).body).toMatchObject({ reason: 'enough' });
  const journal = (await ask('GET', '/runs/f1/journal?limit=1000')).body as {
    records: { kind: string; payload: { by?: string } | null }[];
  };
  const by = journal.records.flatMap(({ kind, payload }) =>
    payload?.by === undefined ? [] : [`${kind} ${payload.by}`],
  );
  expect(by).toEqual(['fork local', 'resume local', 'cancel local']);
});

testEverywhere('sends, deletes, prunes only when told to, and counts', async () => {
  const { ask, engine } = await served();
  await ask('POST', '/runs', { graph: 'ticker', input: { count: 12, stays: true }, id: 't' });
  await engine.get('t').outcome();
  expect((await ask('POST', '/runs/t/send', { name: 'stop', value: {} })).status).toBe(200);
  expect(await engine.get('t').result()).toBe(12);
  expect((await ask('POST', '/runs/t/send', { name: 'stop', value: {} })).status).toBe(409);
  expect((await ask('POST', '/runs/t/settle', { key: 'k', outcome: 'retry' })).status).toBe(404);
  const dry = await ask('POST', '/prune', { keep: 0 });
  expect(dry.body).toMatchObject({ dryRun: true });
  expect((await ask('POST', '/prune', { keep: 0, apply: true })).body).toMatchObject({ dryRun: false });
  expect((await ask('GET', '/overview')).body).toMatchObject({
    runs: { completed: { count: 1, isCut: false }, failed: { count: 0 } },
    asks: { count: 0 },
  });
  expect((await ask('GET', '/store')).body).toMatchObject({ graphs: [{ graph: 'ticker', runs: 1 }], isCut: false });
  expect((await ask('DELETE', '/runs/t')).body).toEqual({ deleted: true });
  expect((await ask('GET', '/runs/t')).status).toBe(404);
});

testEverywhere('describes graphs, itself, the caller, and how it is', async () => {
  const { ask, base } = await served();
  expect((await ask('GET', '/graphs')).body).toMatchObject({ graphs: [{ name: 'refunds' }, {}, {}, {}] });
  expect((await ask('GET', '/graphs/refunds')).body).toMatchObject({
    structure: { nodes: [{ name: 'lookup', type: 'node' }, { name: 'approve' }] },
    inputSchema: { type: 'object' },
    mermaid: expect.stringContaining('flowchart'),
  });
  expect((await ask('GET', '/graphs/nope')).status).toBe(404);
  expect((await ask('GET', '/caller')).body).toEqual({ by: 'local', admin: true, readOnly: false });
  expect((await ask('GET', '/metrics')).body).toContain('holdfast_runs{status="waiting"} 0');
  const health = await fetch(`${base}/api/v1/health`);
  expect(await health.json()).toEqual({ status: 'ok' });
  const document = (await (await fetch(`${base}/api/v1/openapi.json`)).json()) as { openapi: string; paths: object };
  expect(document.openapi).toBe('3.1.0');
  expect(Object.keys(document.paths)).toHaveLength(30);
});

testEverywhere('reads journal runs too', async () => {
  const { ask, engine } = await served();
  await engine.journal.append('loop', { payload: { said: 'hi' } });
  await engine.checkpoints.save('loop', { state: { step: 1 } });
  await engine.checkpoints.save('loop', { state: { step: 2 } });
  expect((await ask('GET', '/runs/loop')).body).toMatchObject({ kind: 'journal', open: [] });
  const { body } = await ask('GET', '/runs/loop/checkpoints?limit=1');
  const { next } = body as { next: string };
  expect((await ask('GET', `/runs/loop/checkpoints?before=${next}`)).body).toMatchObject({ checkpoints: [{}] });
  expect((await ask('GET', '/runs/loop/state?as=json')).body).toMatchObject({ json: { step: 2 } });
  expect((await ask('GET', '/runs/loop/journal')).body).toMatchObject({
    records: [{ payload: { said: 'hi' } }, {}, {}],
  });
  expect((await ask('POST', '/runs/loop/cancel', {})).status).toBe(409);
  expect((await ask('GET', '/runs/loop/events')).status).toBe(409);
});

testEverywhere('running runs are told apart from pending ones, however many of those there are', async () => {
  const { ask, engine } = await served();
  await Promise.all(Array.from({ length: 12 }, (_, at) => engine.submit(engineGraph, { order: 'o', cents: at })));
  expect((await ask('GET', '/runs?q=status:running')).body).toEqual({ runs: [], next: null });
  expect((await ask('GET', '/runs/count?q=status:running')).body).toEqual({ count: 0, isCut: false });
  expect((await ask('GET', '/runs/count?q=status:running,pending')).body).toEqual({ count: 12, isCut: false });
});
