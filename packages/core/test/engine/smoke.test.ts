import { ask, channel, goto, graph, list, open, workflow } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';

const refunds = graph('refunds', {
  state: { order: z.string(), cents: z.int(), approved: channel<boolean>(), log: list<string>() },
  asks: { approval: ask({ show: z.object({ text: z.string() }), answer: z.object({ ok: z.boolean() }) }) },
})
  .node('check', ({ state }) => ({ log: `checked ${state.order}` }))
  .node('approve', async ({ state, ask }) => {
    const answer = await ask('approval', { text: `Refund €${state.cents / 100}?` }, { timeout: '7d' });
    return { approved: answer?.ok ?? false };
  })
  .node('refund', async ({ state, step }) => {
    const receipt = await step('stripe', ({ key }) => ({ id: `${state.order}-${key.length}` }), {
      retry: { attempts: 5 },
      effect: 'once',
    });
    return { log: `refunded ${receipt.id}` };
  })
  .edge('start', 'check')
  .edge('check', 'approve')
  .route('approve', ['refund', 'end'], (state) => (state.approved ? 'refund' : 'end'))
  .edge('refund', 'end')
  .compile();

test('a person approves', async () => {
  await using engine = await open('memory:');
  const run = await engine.start(refunds, { order: 'ord_81', cents: 12_000 }, { id: 'ord_81' });
  const outcome = await run.outcome();
  expect(outcome.status).toBe('waiting');
  await run.answer('approval', { ok: true }, { by: 'ada' });
  const end = await run.outcome();
  expect(end).toMatchObject({ status: 'completed', state: { log: ['checked ord_81', 'refunded ord_81-32'] } });
  const events = [];
  for await (const event of run.events()) events.push(event.type);
  expect(events.at(0)).toBe('turn');
  expect(events.at(-1)).toBe('run-end');
});

test('a plain workflow', async () => {
  await using engine = await open('memory:');
  const onboard = workflow(
    'onboard',
    { input: z.object({ email: z.string() }), receives: { verified: z.object({ at: z.number() }) } },
    async ({ email }, { step, sleep, receive }) => {
      const id = await step('create', async () => email.length);
      await sleep('cool-off', '20ms');
      const verified = await receive('verified', { timeout: '30d' });
      return { id, verifiedAt: verified?.at };
    },
  );
  const signup = await engine.start(onboard, { email: 'a@b.c' }, { id: 'signup-1' });
  await (await engine.get(onboard, 'signup-1')).send('verified', { at: 5 }, { id: 'mail-9' });
  expect(await signup.result()).toEqual({ id: 5, verifiedAt: 5 });
});

test('fan out, join, graph in graph', async () => {
  await using engine = await open('memory:');
  const report = graph('report', { state: { topic: z.string(), facts: list<string>(), text: channel<string>() } })
    .node('web', async () => ({ facts: ['a'] }), {
      timeout: '20s',
      catch: (error) => ({ facts: `no web: ${error.message}` }),
    })
    .node('papers', async () => ({ facts: ['b', 'c'] }))
    .node('write', ({ state }) => ({ text: state.facts.join('\n') }))
    .edge('start', ['web', 'papers'])
    .edge(['web', 'papers'], 'write')
    .edge('write', 'end')
    .compile();
  const digest = graph('digest', {
    state: { topic: z.string(), more: z.array(z.string()).default([]), text: channel<string>(), extra: list<string>() },
  })
    .graph('research', report, { in: (state) => ({ topic: state.topic }), out: (inner) => ({ text: inner.text }) })
    .each(
      'aside',
      (state) => state.more,
      async (topic, { child }) => ({ extra: (await child('report', report, { topic })).text }),
      { concurrency: 3 },
    )
    .node('polish', ({ state }) => (state.text ? goto('end', { text: state.text.trim() }) : goto('research')), {
      to: ['research', 'end'],
    })
    .graph('refund', refunds, { in: () => ({ order: 'o', cents: 1 }), out: () => ({}) })
    .edge('start', ['research', 'aside', 'refund'])
    .edge(['research', 'aside', 'refund'], 'polish')
    .compile();
  const issue = await engine.start(digest, { topic: 'kelp', more: ['algae'] });
  await issue.answer('refund/approval', { ok: true });
  expect(await issue.result()).toMatchObject({ text: 'a\nb\nc', extra: ['a\nb\nc'] });
});
