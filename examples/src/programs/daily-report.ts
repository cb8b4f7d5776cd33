// A report every morning at eight. The run sleeps in the store; each day is a round of its own.
import { again, openEngine, workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { z } from 'zod';
import { act, dayAfter, done, eightOn } from './services/world.ts';

const daily = workflow('daily', { input: z.object({ day: z.string() }) }, async ({ day }, { step, sleep }) => {
  await sleep('until eight', eightOn(day));
  await step('mail', ({ key }) => act(`report of ${day}`, key), { effect: 'once', retry: 3 });
  return again({ day: dayAfter(day) });
});
const clock = virtualClock(new Date('2026-11-18T00:00:00Z'));
const engine = await openEngine('memory:', { clock });
const run = await engine.start(daily, { day: '2026-11-18' }, { id: 'daily-report' });
await clock.advance('2d');
console.log(done.join(', '));
await run.cancel('the example ends');
await engine.close();
