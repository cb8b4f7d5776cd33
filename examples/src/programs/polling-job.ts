// Asks for a job until it is done. Every round starts over, so that a long wait stays cheap.
import { again, openEngine, workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { z } from 'zod';
import { jobStatus } from './services/world.ts';

const poll = workflow('poll', { input: z.string() }, async (job, { step, sleep }) => {
  const { isDone, url } = await step('status', () => jobStatus(job), { retry: 5, timeout: '10s' });
  if (isDone) return url;
  await sleep('30s');
  return again(job);
});
const clock = virtualClock();
const engine = await openEngine('memory:', { clock });
const run = await engine.start(poll, 'film-7');
await clock.advance('1m');
console.log(await run.result());
await engine.close();
