// An order waits for its payment, which a webhook reports. A delivery that comes twice counts once.
import { openEngine, workflow } from 'holdfast';
import { z } from 'zod';
import { deliver, serve } from './services/http.ts';
import { act } from './services/world.ts';

const receives = { paid: z.object({ reference: z.string() }) };
const order = workflow('order', { input: z.object({ sku: z.string() }), receives }, async ({ sku }, context) => {
  const { receive, step } = context;
  const paid = await receive('paid', { timeout: '3d' });
  if (paid === undefined) return 'not paid in time';
  return step('ship', ({ key }) => act(`shipped ${sku}, paid by ${paid.reference}`, key), { effect: 'once' });
});
const engine = await openEngine('memory:', { graphs: [order] });
const server = await serve(async ({ id, order: orderId, reference }) => {
  await engine.get(order, orderId).send('paid', { reference }, { id });
  return 202;
});
const run = await engine.start(order, { sku: 'kelp' }, { id: 'ord-81' });
const delivery = { id: 'd-1', order: 'ord-81', reference: 'card-7' };
console.log(await deliver(server.url, delivery), await deliver(server.url, delivery), await run.result());
await server.close();
await engine.close();
