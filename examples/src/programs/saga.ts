// Books a trip part by part. When a part fails, those before it are cancelled, even if the process dies in between.
import { openEngine, workflow } from 'holdfast';
import { z } from 'zod';
import { book, cancel, done } from './services/world.ts';

const trip = workflow('trip', { input: z.array(z.string()) }, async (parts, { step }) => {
  const booked = [];
  try {
    for (const part of parts) booked.push(await step(`book ${part}`, () => book(part), { retry: 2 }));
    return 'booked';
  } catch {
    for (const id of booked.toReversed()) await step(`cancel ${id}`, () => cancel(id), { retry: 5 });
    return 'cancelled';
  }
});
const engine = await openEngine('memory:');
console.log(await engine.start(trip, ['flight', 'hotel', 'car']).result(), done.join(', '));
await engine.close();
