// What a caller may do to runs of which graph: `may` of authorize() is asked on every route.
import type { Action } from '@holdfast/server';
import { expect } from 'vitest';
import { routes } from '../../src/route/all.ts';
import { testEverywhere } from '../every-store.ts';
import { openHere, refunds, type Served, served, ticker } from '../fixture.ts';

type May = (action: Action, graph: string) => boolean | Promise<boolean>;

/** A server with a run of each of two graphs, whose caller may do what `may` says. */
async function servedTo(may: May): Promise<Served> {
  const engine = await openHere();
  const here = await served({ engine, authorize: () => ({ by: 'ada', admin: true, may }) });
  await engine.start(refunds, { order: 'o', cents: 1 }, { id: 'r' }).outcome();
  await engine.start(ticker, { count: 2, stays: true }, { id: 't' }).outcome();
  await engine.get('t').fork({ id: 'f' });
  return here;
}

/** About one run, and what may be done to it. */
const commands: Readonly<Record<string, readonly [Action, object]>> = {
  startRun: ['start', { graph: 'ticker', input: { count: 1 } }],
  answer: ['answer', { name: 'nope', value: 1 }],
  send: ['send', { name: 'nope', value: 1 }],
  settle: ['settle', { key: 'nope', outcome: 'retry' }],
  fork: ['fork', {}],
  resume: ['resume', {}],
  cancel: ['cancel', {}],
  prune: ['prune', { runId: 't', keep: 100 }],
  deleteRun: ['delete', {}],
};

testEverywhere('a graph whose runs may not be read does not exist, on any route', async () => {
  const here = await servedTo(async (action, name) => action !== 'read' || name === 'refunds');
  for (const { id, method, path } of routes.filter(({ access }) => access !== 'public')) {
    const isAbout = path.includes('{runId}') || path.includes('{name}');
    const [, body = {}] = commands[id] ?? [];
    const target = path.replace('{runId}', 't').replace('{name}', 'ticker');
    const query = id === 'getDiff' ? '?from=t&to=r' : '';
    const answer = await here.ask(method.toUpperCase(), `${target}${query}`, body, {
      ...(id === 'importRun' && { 'content-type': 'application/x-ndjson' }),
    });
    if (isAbout || id === 'getDiff' || id === 'prune') expect([id, answer.status]).toEqual([id, 404]);
    else if (id === 'getMetrics' || id === 'importRun') expect([id, answer.status]).toEqual([id, 403]);
    else if (id !== 'startRun') expect([id, answer.body]).not.toEqual([id, expect.stringContaining('ticker')]);
    if (answer.status < 400 && id !== 'startRun')
      expect([id, JSON.stringify(answer.body)]).not.toEqual([id, expect.stringMatching(/ticker|"t"|"f"/u)]);
  }
  const { body: runs } = await here.ask('GET', '/runs');
  expect((runs as { runs: { id: string }[] }).runs.map(({ id }) => id)).toEqual(['r']);
  expect((await here.ask('GET', '/runs/count')).body).toEqual({ count: 1, isCut: false });
  expect((await here.ask('GET', '/runs?q=fork-of:t')).body).toMatchObject({ runs: [] });
  expect((await here.ask('GET', '/runs?after=t')).status).toBe(400);
  // Its id is taken all the same.
  const taken = { graph: 'refunds', input: { order: 'o', cents: 1 }, id: 't' };
  expect((await here.ask('POST', '/runs', taken)).status).toBe(409);
});

testEverywhere('each command asks for its own action, and changes nothing if it is refused', async () => {
  const asked = new Set<string>();
  let allowed: Action | undefined;
  const here = await servedTo((action, name) => {
    asked.add(`${action} ${name}`);
    return action === 'read' || action === allowed;
  });
  const access = routes.filter((route) => route.access === 'write' || route.access === 'admin');
  expect(access.map(({ id }) => id).toSorted()).toEqual([...Object.keys(commands), 'importRun'].toSorted());
  for (const pass of ['refused', 'allowed'])
    for (const { id, method, path } of access.filter((route) => route.id !== 'importRun')) {
      const [action, body] = commands[id] as (typeof commands)[string];
      // What is deleted is missed by the rest.
      const runId = id === 'deleteRun' ? 'f' : 't';
      allowed =
        pass === 'allowed' ? action : (Object.values(commands).find(([each]) => each !== action)?.[0] as Action);
      const before = JSON.stringify(await here.engine.runs().toArray());
      const { status } = await here.ask(method.toUpperCase(), path.replace('{runId}', runId), body);
      if (pass === 'allowed') expect([id, status]).not.toEqual([id, 403]);
      else expect([id, status, JSON.stringify(await here.engine.runs().toArray())]).toEqual([id, 403, before]);
    }
  for (const [action] of Object.values(commands)) expect(asked).toContain(`${action} ticker`);
  // Without a run, a prune would be of all graphs.
  expect((await here.ask('POST', '/prune', { keep: 100 })).status).toBe(403);
});
