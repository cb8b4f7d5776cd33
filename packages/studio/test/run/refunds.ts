// The graph of the mocks: an agent that refunds orders. Nothing of it needs a network.
import { setTimeout as pause } from 'node:timers/promises';
import { channel, counter, graph, list } from 'holdfast';
import { z } from 'zod';

/** How long a call takes. Tests of what is drawn give it the time that a bar needs. */
export interface Pace {
  readonly callMs: number;
  /** If given, a call of `fraud` says so and goes on until its worker is killed. */
  readonly stuck?: (() => void) | undefined;
}

const payout = (pace: Pace) =>
  graph('payout', {
    version: 2,
    state: { order: z.string(), receipt: channel<string>() },
  })
    .node('reserve', async ({ step }) => {
      await step('reserve', () => pause(pace.callMs));
      return {};
    })
    .node('bank', async ({ step }) => ({
      receipt: await step('transfer', async () => 'r-1', { effect: 'once' }),
    }))
    .node('receipt', () => ({}))
    .edge('start', 'reserve')
    .edge('reserve', 'bank')
    .edge('bank', 'receipt')
    .edge('receipt', 'end')
    .compile();

/** Looks an order up, decides, asks, and pays. */
export const refunds = (pace: Pace = { callMs: 1 }) =>
  graph('refunds', {
    version: 3,
    state: {
      order: z.string(),
      cents: z.int(),
      messages: list<{ role: string; content: string }>(),
      parcel: channel<{ status: string; carrier: string; scannedAt: Date }>(),
      policy: channel<{ windowDays: number; limitCents: number }>(),
      fraud: channel<{ score: number; signals: Set<string> }>(),
      decision: channel<{ action: string; cents: number }>(),
      approved: channel<boolean>(),
      tokens: counter(),
    },
    asks: {
      approval: {
        show: z.object({
          text: z.string(),
          customer: z.string(),
          parcel: z.string(),
          score: z.number(),
        }),
        answer: z.object({
          ok: z.boolean().describe('Refund it?'),
          cents: z.int().min(1).max(8_990).describe('Amount in cents'),
          note: z.string().optional(),
        }),
      },
    },
  })
    .node('plan', async ({ step, log }) => {
      log('planning', { model: 'scripted' });
      await step('model: plan', () => pause(pace.callMs));
      return {
        messages: {
          role: 'assistant',
          content: 'Let me look at the order first.',
        },
        tokens: 1_204,
      };
    })
    .node('lookup', async ({ step, state }) => {
      await step(
        'parcel',
        async ({ attempt }) => {
          await pause(pace.callMs);
          if (attempt < 3) throw new Error('HTTP 503 from carrier.example');
        },
        { retry: { attempts: 5, backoff: `${Math.max(1, pace.callMs)}ms` } },
      );
      return {
        parcel: {
          status: 'lost',
          carrier: 'DHL',
          scannedAt: new Date('2026-11-02T17:40:11Z'),
        },
        tokens: state.cents > 0 ? 1 : 0,
      };
    })
    .node('policy', async ({ step }) => ({
      policy: await step('read the policy', () => ({
        windowDays: 30,
        limitCents: 6_000,
      })),
    }))
    .node('fraud', async ({ step }) => {
      const score = await step('device score', async () => {
        await pause(pace.callMs);
        return 0.08;
      });
      await step('address history', () => {
        if (pace.stuck === undefined) return pause(pace.callMs);
        pace.stuck();
        return new Promise<void>(() => setInterval(() => undefined, 1_000));
      });
      return {
        fraud: { score, signals: new Set(['new address', 'first refund']) },
      };
    })
    .node('decide', async ({ step, state }) => {
      await step('model: decide', () => pause(pace.callMs));
      return {
        decision: { action: 'refund', cents: state.cents },
        messages: {
          role: 'assistant',
          content: 'The parcel was lost: a refund is due.',
        },
        tokens: 1_667,
      };
    })
    .node('approve', async ({ state, ask }) => {
      const text = `Refund €${(state.cents / 100).toFixed(2)} for ${state.order}?`;
      const { ok } = await ask('approval', {
        text,
        customer: 'Mara Lindt, since 2021',
        parcel: 'lost, DHL',
        score: 0.31,
      });
      return { approved: ok };
    })
    .graph('pay', payout(pace), {
      in: (state) => ({ order: state.order }),
      out: () => ({}),
    })
    .node('decline', () => ({}))
    .node('notify', () => ({
      messages: { role: 'assistant', content: 'Done.' },
    }))
    .edge('start', 'plan')
    .edge('plan', 'lookup')
    .edge('plan', 'policy')
    .edge('plan', 'fraud')
    .edge(['lookup', 'policy', 'fraud'], 'decide')
    .route('decide', ['approve', 'decline', 'plan'], ({ decision }) =>
      decision?.action === 'refund' ? 'approve' : 'decline',
    )
    .route('approve', ['pay', 'decline'], ({ approved }) => (approved === true ? 'pay' : 'decline'))
    .edge('pay', 'notify')
    .edge('decline', 'end')
    .edge('notify', 'end')
    .compile();
