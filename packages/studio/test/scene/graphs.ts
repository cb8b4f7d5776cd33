// The graphs of the pages' tests: what people build, small.
import { setTimeout as pause } from 'node:timers/promises';
import { graph, list, workflow } from 'holdfast';
import { z } from 'zod';
import { type Pace, refunds } from './refunds.ts';

/** Fails for what it cannot label. */
export const triage = graph('triage', {
  version: 2,
  state: { text: z.string(), label: z.enum(['bug', 'question', 'billing']).optional() },
})
  .node('read', () => ({}))
  .node('classify', ({ state: { text } }) => {
    if (text.startsWith('?')) throw new TypeError('at /label: expected one of "bug", "question", "billing"');
    return { label: 'bug' };
  })
  .edge('start', 'read')
  .edge('read', 'classify')
  .edge('classify', 'end')
  .compile();

/** Embeds the chunks of a document, until it is stopped if there are many. */
export const ingest = graph('ingest', {
  version: 7,
  state: { chunks: z.int().min(1), parsed: list(z.string()) },
})
  .node('fetch', () => ({ parsed: 'fetched' }))
  .node('parse', ({ state }) => ({ parsed: `${state.chunks} chunks` }))
  .node('embed', async ({ state, step }) => {
    await step('embed', async ({ signal }) => {
      if (state.chunks > 1_000) await pause(2 ** 31 - 1, undefined, { signal });
    });
    return { parsed: 'embedded' };
  })
  .edge('start', 'fetch')
  .edge('fetch', 'parse')
  .edge('parse', 'embed')
  .edge('embed', 'end')
  .compile();

/** Asks which contract a customer gets, or waits for a date. */
export const onboarding = workflow(
  'onboarding',
  {
    version: 4,
    input: z.object({ email: z.email(), plan: z.enum(['free', 'team', 'vip']).default('free') }),
    asks: {
      contract: {
        show: z.object({ text: z.string() }),
        answer: z.enum(['standard', 'enterprise', 'partner']),
      },
    },
  },
  async ({ email, plan }, { sleep, ask }) => {
    if (plan === 'team') return ask('contract', { text: `Which contract does ${email.split('@')[1]} get?` });
    await sleep('verify', '20h');
    return plan;
  },
);

/** The graphs of the scene. */
export const graphsAt = (pace: Pace) => [refunds(pace), triage, ingest, onboarding] as const;

export const graphs = graphsAt({ callMs: 1 });
