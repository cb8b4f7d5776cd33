// The graph of the pictures: an agent that refunds orders. Nothing of it needs a network.
import { setTimeout as pause } from 'node:timers/promises';
import { channel, counter, graph, list } from 'holdfast';
import { z } from 'zod';

/** A call of the agent. */
interface Call {
  readonly name: string;
  readonly order: string;
}

/** How long calls take, and which of them never end. */
export interface Pace {
  readonly callMs: number;
  /** True for a call that goes on until its worker stops or is killed. */
  readonly hangs?: (call: Call) => boolean;
  /** What a call waits for before it goes on. */
  readonly waits?: (call: Call) => Promise<void> | undefined;
}

/** Makes a call: it takes a while, or until its worker stops. */
async function make(call: Call, { callMs, hangs, waits }: Pace, signal: AbortSignal, share = 1): Promise<void> {
  await waits?.(call);
  if (hangs?.(call) === true) await pause(2 ** 31 - 1, undefined, { signal });
  await pause(callMs * share, undefined, { signal });
}

const payout = (pace: Pace) =>
  graph('payout', { version: 2, state: { order: z.string(), receipt: channel<string>() } })
    .node('reserve', async ({ step, state: { order } }) => {
      await step('reserve', ({ signal }) => make({ name: 'reserve', order }, pace, signal, 0.5));
      return {};
    })
    .node('bank', async ({ step, state: { order } }) => {
      const check = async ({ signal, attempt }: { readonly signal: AbortSignal; readonly attempt: number }) => {
        if (order === 'ord_81' && attempt === 1) {
          await pause(pace.callMs, undefined, { signal });
          throw new Error('HTTP 504 from bank.example');
        }
        await make({ name: 'sanctions', order }, pace, signal, 0.5);
      };
      await step('sanctions', check, { retry: { attempts: 5, backoff: `${Math.max(1, pace.callMs)}ms` } });
      const transfer = async ({ signal }: { readonly signal: AbortSignal }) => {
        await make({ name: 'transfer', order }, pace, signal);
        return `rc_${order}`;
      };
      return { receipt: await step('transfer', transfer, { effect: 'once' }) };
    })
    .node('receipt', () => ({}))
    .edge('start', 'reserve')
    .edge('reserve', 'bank')
    .edge('bank', 'receipt')
    .edge('receipt', 'end')
    .compile();

/** A refund of at most so many cents needs nobody's approval. */
const limitCents = 6_000;

const state = {
  order: z.string().meta({ description: 'The id of the order' }),
  cents: z.int().min(1).meta({ description: 'Amount in cents' }),
  currency: z.enum(['EUR', 'USD', 'GBP']).default('EUR'),
  messages: list<{ role: string; content: string }>(),
  parcel: channel<{ status: string; carrier: string; scannedAt: Date }>(),
  policy: channel<{ windowDays: number; limitCents: number }>(),
  fraud: channel<{ score: number; signals: Set<string> }>(),
  decision: channel<{ action: string; cents: number; confidence: number; reason: string }>(),
  approved: channel<boolean>(),
  tokens: counter(),
  log: list<string>(),
};

const approval = {
  show: z.object({ text: z.string(), customer: z.string(), parcel: z.string(), score: z.number() }),
  answer: z.object({
    ok: z.boolean().describe('Refund it?'),
    cents: z.int().min(1).max(40_000).optional().describe('Amount in cents'),
    note: z.string().max(200).optional(),
  }),
};

/** Looks an order up, decides, asks, and pays. */
export const refunds = (pace: Pace = { callMs: 1 }) =>
  graph('refunds', { version: 3, state, asks: { approval } })
    .node('plan', async ({ step, log, state: { order } }) => {
      log('planning', { model: 'scripted' });
      await step('model: plan', ({ signal }) => make({ name: 'model: plan', order }, pace, signal, 1.5));
      return {
        messages: [
          { role: 'user', content: `Where is ${order}?` },
          { role: 'assistant', content: 'Let me look at the order first.' },
        ],
        tokens: 1_204,
      };
    })
    .node('lookup', async ({ step, state: { order } }) => {
      const parcel = async ({ signal, attempt }: { readonly signal: AbortSignal; readonly attempt: number }) => {
        await make({ name: 'parcel', order }, pace, signal, attempt < 3 ? 1 : 0.7);
        if (attempt < 3) throw new Error('HTTP 503 from carrier.example');
      };
      await step('parcel', parcel, { retry: { attempts: 5, backoff: `${Math.max(1, pace.callMs / 2)}ms` } });
      return {
        parcel: { status: 'lost', carrier: 'DHL', scannedAt: new Date('2026-11-02T17:40:11Z') },
        messages: { role: 'tool', content: 'parcel: lost, DHL' },
      };
    })
    .node('policy', async ({ step, state: { order } }) => {
      const policy = await step('read the policy', async ({ signal }) => {
        await make({ name: 'policy', order }, pace, signal, 0.7);
        return { windowDays: 30, limitCents };
      });
      return { policy, log: 'policy of 2026-03' };
    })
    .node('fraud', async ({ step, log, state: { order } }) => {
      const score = await step('device score', async ({ signal }) => {
        await make({ name: 'device score', order }, pace, signal, 1.8);
        return 0.08;
      });
      log('device score', { score });
      await step('address history', ({ signal }) => make({ name: 'address history', order }, pace, signal, 2));
      return { fraud: { score, signals: new Set(['new address', 'first refund']) }, log: 'no sign of fraud' };
    })
    .node('decide', async ({ step, log, state: { order, cents } }) => {
      await step('model: decide', async ({ signal }) => {
        await make({ name: 'model: decide', order }, pace, signal, 1.5);
        if (order === 'ord_strict')
          throw new TypeError('at /decision/action: expected one of "refund", "deny", got "ask"');
      });
      log('decided', { action: 'refund' });
      return {
        decision: { action: 'refund', cents, confidence: 0.93, reason: 'The parcel was lost.' },
        messages: { role: 'assistant', content: 'The parcel was lost: a refund is due.' },
        tokens: 1_667,
      };
    })
    .node('approve', async ({ state: { order, cents }, ask }) => {
      if (cents < limitCents) return { approved: true, log: 'below the limit: nobody was asked' };
      const text = `Refund €${(cents / 100).toFixed(2)} for ${order}?`;
      const shown = { text, customer: 'Mara Lindt, since 2021', parcel: 'lost, DHL', score: 0.31 };
      const answer = await ask('approval', shown, { timeout: '5d' });
      return { approved: answer?.ok ?? false, log: answer === undefined ? 'nobody answered' : 'a person decided' };
    })
    .graph('pay', payout(pace), {
      in: ({ order }: { readonly order: string }) => ({ order }),
      out: ({ receipt }) => ({ log: `paid: ${receipt ?? ''}` }),
    })
    .node('decline', () => ({ log: 'declined' }))
    .node('notify', () => ({ messages: { role: 'assistant', content: 'The refund is on its way.' } }))
    .edge('start', 'plan')
    .edge('plan', ['lookup', 'policy', 'fraud'])
    .edge(['lookup', 'policy', 'fraud'], 'decide')
    .route('decide', ['approve', 'decline', 'plan'], ({ decision }) =>
      decision?.action === 'refund' ? 'approve' : 'decline',
    )
    .route('approve', ['pay', 'decline'], ({ approved }) => (approved === true ? 'pay' : 'decline'))
    .edge('pay', 'notify')
    .edge('decline', 'end')
    .edge('notify', 'end')
    .compile();
