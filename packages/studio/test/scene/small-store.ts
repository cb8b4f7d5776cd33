// A store with a few runs of every status.
import type { Engine } from 'holdfast';
import { expect } from 'vitest';
import { graphs, ingest, onboarding, triage } from './graphs.ts';

const [refunds] = graphs;

/** Runs of every status. */
export async function fillStore(engine: Engine): Promise<void> {
  for (const [id, text] of [
    ['triage-4459', 'a bug'],
    ['triage-4468', '?what'],
    ['triage-4471', '?who'],
  ] as const)
    await engine.start(triage, { text }, { id, tags: { region: 'us' } }).outcome();
  for (const [id, cents] of [
    ['ord_81', 12_000],
    ['ord_87', 8_990],
    ['ord_93', 31_000],
  ] as const)
    await engine.start(refunds, { order: id, cents }, { id, tags: { region: 'eu', tier: 'gold' } }).outcome();
  const approved = engine.get(refunds, 'ord_81');
  await approved.answer('approval', { ok: true }, { by: 'ada' });
  await approved.result();
  await approved.fork({ id: 'what-if-50', set: { cents: 5_000 }, label: 'what-if-50' });
  await sleeping(engine, 'onb_k7ez', 'lin@example.com');
  await sleeping(engine, 'onb_k7f2', 'a@example.com');
  await engine.get('onb_k7f2').cancel('wrong address');
  await engine.start(ingest, { chunks: 1_204 }, { id: 'ing-7c41', tags: { tenant: 'acme' } });
}

/** A run that waits for a date: no outcome comes before it. */
async function sleeping(engine: Engine, id: string, email: string): Promise<void> {
  const run = engine.start(onboarding, { email }, { id, tags: { plan: 'vip' } });
  await expect.poll(async () => (await run.summary()).status).toBe('waiting');
}
