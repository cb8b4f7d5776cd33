// A clerk has a day to approve a refund. Then the manager is asked.
import { openEngine, workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { z } from 'zod';
import { act } from './services/world.ts';

const asks = { approval: { show: z.object({ to: z.string(), text: z.string() }), answer: z.boolean() } };
const refund = workflow('refund', { input: z.string(), asks }, async (order, { ask, step }) => {
  const text = `Refund ${order}?`;
  const byClerk = await ask('approval', { to: 'clerk', text }, { timeout: '1d' });
  const isApproved = byClerk ?? (await ask('approval', { to: 'manager', text }, { timeout: '2d' }));
  return isApproved ? step('pay', ({ key }) => act(`refunded ${order}`, key), { effect: 'once' }) : 'declined';
});
const clock = virtualClock();
const engine = await openEngine('memory:', { clock });
const run = await engine.start(refund, 'ord-81', { id: 'ord-81' });
await clock.advance('1d');
const question = await engine.asks(refund).first();
console.log(`${question?.show.to} is asked: ${question?.show.text}`);
await run.answer('approval', true, { by: 'grace' });
console.log(await run.result());
await engine.close();
