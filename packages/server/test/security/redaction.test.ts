// Redaction: what a pointer names never leaves the server, by whatever route.
import { api } from '@holdfast/server';
import { workflow } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { testEverywhere } from '../every-store.ts';
import { graphs, openHere, refunds, served } from '../fixture.ts';

test('answers without what is redacted', async () => {
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
    expect([path, JSON.stringify(body)]).not.toEqual([path, expect.stringMatching(/example\.com|hunter2|"cents":77/u)]);
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

testEverywhere('nobody finds out what is hidden by looking for it', async () => {
  const here = await served({ redact: ['/tags/who'] });
  const tags = { who: 'ada@example.com', region: 'eu' };
  await here.engine.start(refunds, { order: 'o', cents: 1 }, { id: 'r', tags }).outcome();
  const found = async (q: string) => {
    const { status, body } = await here.ask('GET', `/runs?q=${encodeURIComponent(q)}`);
    return status === 200 ? (body as { runs: unknown[] }).runs.length : status;
  };
  expect(await found('"ada@"')).toBe(0);
  expect(await found('tag:who=ada@example.com')).toBe(400);
  expect(await found('tag:who=eve@example.com')).toBe(400);
  expect((await here.ask('GET', `/runs/count?q=${encodeURIComponent('tag:who=ada@example.com')}`)).status).toBe(400);
  expect([await found('tag:who'), await found('"eu"'), await found('tag:region=eu')]).toEqual([1, 1, 1]);
});

testEverywhere('values in maps and sets, logs, refused answers and names are hidden, too', async () => {
  const state = {
    people: new Map<unknown, unknown>([
      ['email', 'ada@example.com'],
      ['address', new Map([['street', 'Hidden Lane']])],
      [7, 'by number'],
    ]),
    seen: new Set(['fine', 'hunter2']),
    when: new Date(0),
  };
  const here = await served({
    redact: [
      '/state/people/email',
      '/state/people/address/street',
      '/state/people/7',
      '/state/seen/1',
      '/logs/data',
      '/by',
    ],
    by: 'grace@example.com',
  });
  await here.engine.checkpoints.save('m', { state });
  for (const path of ['/runs/m/state?as=json', '/runs/m/state?depth=9', '/runs/m/journal']) {
    const text = JSON.stringify((await here.ask('GET', path)).body);
    expect([path, text]).not.toEqual([path, expect.stringMatching(/ada@|Hidden Lane|by number|hunter2/u)]);
  }
  expect((await here.ask('GET', '/runs/m/state?as=json')).body).toMatchObject({
    json: {
      people: [
        ['email', '[redacted]'],
        ['address', [['street', '[redacted]']]],
        [7, '[redacted]'],
      ],
      seen: ['fine', '[redacted]'],
      when: '1970-01-01T00:00:00.000Z',
    },
  });
  expect((await here.ask('GET', '/runs/m/state?path=/people/0/1')).body).toMatchObject({ node: { kind: 'redacted' } });
  await here.engine.start(refunds, { order: 'o', cents: 1 }, { id: 'r' }).outcome();
  await here.ask('POST', '/runs/r/answer', { name: 'approve', value: { ok: true } });
  const second = await here.ask('POST', '/runs/r/answer', { name: 'approve', value: { ok: false } });
  expect(second.status).toBe(409);
  expect(JSON.stringify(second.body)).not.toContain('grace');
});

const talkative = workflow('talkative', { input: z.object({}) }, async (_, { log, sleep }) => {
  log('the password is', { password: 'hunter2' });
  await sleep('1h');
});

testEverywhere('what a run logs is hidden by /logs', async () => {
  const engine = await openHere({ graphs: [talkative] });
  const here = await served({ engine, graphs: { talkative }, redact: ['/logs/data/password'] });
  await engine.start(talkative, {}, { id: 'l' });
  await expect.poll(async () => (await engine.get('l').summary()).status).toBe('waiting');
  await engine.get('l').cancel();
  const { body: events } = await here.ask('GET', '/runs/l/events');
  expect(events).toContain('the password is');
  for (const text of [events, JSON.stringify((await here.ask('GET', '/runs/l/journal')).body)])
    expect(text).not.toContain('hunter2');
});
