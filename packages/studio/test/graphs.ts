// The graphs of the pages' tests: what people build, small.
import { graph, list, workflow } from 'holdfast';
import { z } from 'zod';

const message = z.object({ role: z.string(), content: z.string() });

const payout = graph('payout', { state: { cents: z.int().default(0), receipt: z.string().default('') } })
  .node('reserve', () => ({}))
  .node('bank', () => ({ receipt: 'rc_1' }))
  .edge('start', 'reserve')
  .edge('reserve', 'bank')
  .edge('bank', 'end')
  .compile();

/** Looks at an order from three sides, decides, asks a person, pays. */
export const refunds = graph('refunds', {
  state: {
    order: z.string().meta({ description: 'The id of the order' }),
    cents: z.int().min(1),
    currency: z.enum(['EUR', 'USD', 'GBP']).default('EUR'),
    messages: list(message),
    parcel: z.object({ status: z.string(), carrier: z.string() }).optional(),
    decision: z.object({ action: z.string(), cents: z.int(), confidence: z.number() }).optional(),
    log: list(z.string()),
  },
  asks: {
    approval: {
      show: z.object({ question: z.string(), cents: z.int() }),
      answer: z.object({ ok: z.boolean(), note: z.string().max(200).optional() }),
    },
  },
})
  .node('plan', ({ state }) => ({ messages: [{ role: 'user', content: `Where is ${state.order}?` }] }))
  .node('lookup', () => ({ parcel: { status: 'lost', carrier: 'DHL' } }))
  .node('policy', () => ({ log: ['policy read'] }))
  .node('fraud', () => ({ log: ['no sign of fraud'] }))
  .node('decide', ({ state }) => ({
    decision: { action: 'refund', cents: state.cents, confidence: 0.93 },
    messages: [{ role: 'assistant', content: 'The parcel was lost: a refund is due.' }],
  }))
  .node('approve', async ({ state, ask }) => {
    const question = `Refund ${state.currency} ${(state.cents / 100).toFixed(2)} for ${state.order}?`;
    const { ok } = await ask('approval', { question, cents: state.cents });
    return { log: [ok ? 'approved' : 'declined'] };
  })
  .graph('pay', payout, {
    in: ({ cents }: { readonly cents: number }) => ({ cents }),
    out: () => ({ log: ['paid'] }),
  })
  .edge('start', 'plan')
  .edge('plan', ['lookup', 'policy', 'fraud'])
  .edge(['lookup', 'policy', 'fraud'], 'decide')
  .edge('decide', 'approve')
  .edge('approve', 'pay')
  .edge('pay', 'end')
  .compile();

/** Fails for what it cannot label. */
export const triage = workflow('triage', { input: z.object({ text: z.string() }) }, async ({ text }, { step }) => {
  await step('read', () => text.length);
  if (text.startsWith('?')) throw new TypeError(`at /label: expected one of "bug", "question", got "${text}"`);
  return 'bug';
});

/** Works until it is stopped. */
export const ingest = workflow(
  'ingest',
  { input: z.object({ chunks: z.int().min(1) }) },
  async ({ chunks }, { step, signal }) => {
    await step('parse', () => chunks);
    await step('embed', async () => {
      await new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));
      signal.throwIfAborted();
    });
    return chunks;
  },
);

/** Waits for a date. */
export const onboarding = workflow(
  'onboarding',
  { input: z.object({ email: z.email(), plan: z.enum(['free', 'team', 'vip']).default('free') }) },
  async ({ plan }, { sleep }) => {
    await sleep('verify', '20h');
    return plan;
  },
);

export const graphs = { refunds, triage, ingest, onboarding };
