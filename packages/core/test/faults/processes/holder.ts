// A process that opens a store for writing, says whether it could, and commits until its input ends. Its orders are
// its only argument.
import { openPlace, type Place } from '../place/open-place.ts';
import { failureLine } from '../workload/failure.ts';
import { say } from '../workload/line.ts';
import { creation } from '../workload/probe.ts';

/** What a holder is told. */
export interface HolderOrders {
  readonly place: Place;
  readonly session: string;
}

const { place, session } = JSON.parse(process.argv[2] ?? '') as HolderOrders;
let isEnding = false;
process.stdin
  .on('end', () => {
    isEnding = true;
  })
  .resume();
setTimeout(() => {
  // What it waits for tells a disk that stands still from a promise that nobody keeps.
  console.error(`No end after a minute; waits for ${process.getActiveResourcesInfo().join(', ')}.`);
  process.exit(3);
}, 60_000).unref();
try {
  const store = await openPlace(place, { warn: () => {} });
  say({ type: 'open' });
  for (let token = 1; !isEnding; token += 1) {
    say(await creation(store, `${session}.${token}`));
    await new Promise((resolve) => {
      setTimeout(resolve, 2);
    });
  }
  await store.close();
  say({ type: 'done' });
} catch (error) {
  say(failureLine('opening', error));
}
process.exit(0);
