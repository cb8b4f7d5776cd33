// What controls terminals, breaks lines or reorders text is escaped everywhere, and hostile names are refused.
import { expect, test } from 'vitest';
import { refunds, served } from '../fixture.ts';

test('answers with control characters and bidi escaped, and data shaped like tags as plain data', async () => {
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
  'refuses the run id %j',
  async (id) => {
    const here = await served();
    for (const path of [`/runs/${id}`, `/runs/${id}/journal`, `/runs/x/checkpoints?before=${id}@1`])
      expect((await here.ask('GET', path)).status).toBeOneOf([400, 404]);
  },
);
