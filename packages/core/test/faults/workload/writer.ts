// A process that commits to a store until it is killed. Its orders come as one line of JSON on its standard input.
import { createInterface } from 'node:readline';
import { seededRandom } from '../../../src/testing/seeded-random.ts';
import type { StoreName } from '../mutant/mutant.ts';
import { openersOf } from '../place/open-bare.ts';
import { openPlace, type Place } from '../place/open-place.ts';
import { failureLine } from './failure.ts';
import { say } from './line.ts';
import { observed } from './observed.ts';
import { Slot } from './slot.ts';

/** What a writer is told to do. */
export interface WriterOrders {
  readonly place: Place;
  /** Names this life of the writer; no two on one place have the same. */
  readonly session: string;
  readonly seed: number;
  /** How many lines of work continue at once. */
  readonly slots: number;
}

async function write({ place, session, seed, slots }: WriterOrders): Promise<void> {
  const random = seededRandom(seed);
  let tokens = 0;
  const newToken = (): string => `${session}.${++tokens}`;
  const store = await openPlace(place, { observe: observed, warn: () => {} });
  const left = await store.runs({ status: ['running'], order: random() < 0.5 ? 'newest' : 'oldest', limit: slots });
  say({ type: 'open' });
  const work = Array.from({ length: slots }, async (_, at) => {
    const slot = new Slot({ store: () => store, session, newToken, random });
    const header = left[at];
    if (header !== undefined) slot.catchUp(header);
    await workOn(slot);
  });
  await Promise.all(work);
}

/** Continues after failures, for a while: what a store answers after one is part of the test. */
async function workOn(slot: Slot): Promise<void> {
  for (let failures = 0; failures < 20; ) {
    try {
      await slot.act();
    } catch (error) {
      failures += 1;
      say(failureLine(slot.tokenInFlight, error));
      slot.forget();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

// Loaded ahead of time: what the writer does when it is told to begins with its first call.
const { store } = JSON.parse(process.argv[2] ?? '') as { readonly store: StoreName };
await openersOf[store]();
say({ type: 'ready' });
const input = createInterface({ input: process.stdin });
// A writer whose harness died ends by itself.
input.on('close', () => process.exit(0));
input.once('line', (line) => {
  write(JSON.parse(line) as WriterOrders).catch((error: unknown) => {
    say(failureLine('opening', error));
    process.exit(4);
  });
});
