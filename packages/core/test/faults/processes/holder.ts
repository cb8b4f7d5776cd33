// A process that opens a store for writing, or only for reading, says whether it could, and commits or reads until its
// input ends. Its orders are its only argument.
import type { CheckedStore } from '../../../src/store/checked-store.ts';
import { seededRandom } from '../../../src/testing/seeded-random.ts';
import { openPlace, type Place } from '../place/open-place.ts';
import { failureLine } from '../workload/failure.ts';
import { say } from '../workload/line.ts';
import { Slot } from '../workload/slot.ts';
import { readOn } from './read-on.ts';

/** What a holder is told. */
export interface HolderOrders {
  readonly place: Place;
  readonly session: string;
  /** Reads beside whoever holds the store, and commits nothing. */
  readonly readOnly: boolean;
}

const { place, session, readOnly } = JSON.parse(process.argv[2] ?? '') as HolderOrders;
let isEnding = false;
process.stdin
  .on('end', () => {
    isEnding = true;
  })
  .resume();
setTimeout(() => {
  // What it waits for tells a disk that stands still from a promise that nobody keeps.
  console.error(`No end after ten minutes; waits for ${process.getActiveResourcesInfo().join(', ')}.`);
  process.exit(3);
}, 600_000).unref();
try {
  const store = await openPlace(place, { warn: () => {}, readOnly });
  say({ type: 'open' });
  await (readOnly ? readOn(store, () => isEnding) : commitOn(store));
  await store.close();
  say({ type: 'done' });
} catch (error) {
  say(failureLine('opening', error));
}
process.exit(0);

/** Creates runs and appends to them; nothing is taken away, so that whoever reads may expect all that it has seen. */
async function commitOn(store: CheckedStore): Promise<void> {
  const random = seededRandom(process.pid);
  let tokens = 0;
  const slot = new Slot({ store: () => store, session, newToken: () => `${session}.${++tokens}`, random });
  while (!isEnding) {
    await (tokens % 5 === 0 ? slot.create(null) : slot.append());
    await new Promise((resolve) => {
      setTimeout(resolve, 2);
    });
  }
}
