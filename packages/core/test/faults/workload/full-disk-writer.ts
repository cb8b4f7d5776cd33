// A process that commits to a store on a disk that fills up and is freed again, and again. Its orders are its only
// argument.
import { closeSync, ftruncateSync, openSync, rmSync, writeSync } from 'node:fs';
import { seededRandom } from '../../../src/testing/seeded-random.ts';
import { openPlace, type Place } from '../place/open-place.ts';
import { failureLine } from './failure.ts';
import { say } from './line.ts';
import { observed } from './observed.ts';
import { Slot } from './slot.ts';

/** What it is told. */
export interface FullDiskOrders {
  readonly place: Place;
  readonly session: string;
  readonly seed: number;
  /** A file beside the store, which takes up what is free. */
  readonly ballast: string;
  /** How often the disk fills up. */
  readonly rounds: number;
}

const orders = JSON.parse(process.argv[2] ?? '') as FullDiskOrders;
const random = seededRandom(orders.seed);
const chunk = Buffer.alloc(65_536, 1);
/** A disk that never seems to be full proves nothing. */
const mostActs = 3_000;
const mostLeft = 60_000;

/** Takes up all of the disk but a few pages. */
function fill(): void {
  const file = openSync(orders.ballast, 'w');
  let size = 0;
  try {
    for (;;) size += writeSync(file, chunk);
  } catch {
    ftruncateSync(file, Math.max(0, size - Math.floor(random() * mostLeft)));
  } finally {
    closeSync(file);
  }
}

/** Works until the store says that it cannot. */
async function workUntilFull(slot: Slot): Promise<void> {
  for (let acts = 0; acts < mostActs; acts += 1) {
    try {
      await slot.append();
    } catch (error) {
      const line = failureLine(slot.tokenInFlight, error);
      say(line);
      const isTyped = line.code === 'HOLDFAST_STORE_FAILED' && line.effect === 'none' && !line.poisoned;
      if (!isTyped) say({ type: 'wrong', what: `a full disk is answered by ${line.code}: ${line.message}` });
      return;
    }
  }
  throw new Error('The disk never filled up.');
}

async function goOn(slot: Slot, what: string, act: () => Promise<void>): Promise<void> {
  try {
    await act();
  } catch (error) {
    say({ type: 'wrong', what: `${what}: ${failureLine(slot.tokenInFlight, error).message}` });
  }
}

async function main(): Promise<void> {
  const { place, session, rounds } = orders;
  const store = await openPlace(place, { observe: observed, warn: () => {} });
  let tokens = 0;
  const slots = Array.from(
    { length: 3 },
    () => new Slot({ store: () => store, session, newToken: () => `${session}.${++tokens}`, random }),
  );
  await Promise.all(slots.map((slot) => slot.create(null)));
  say({ type: 'open' });
  for (let round = 0; round < rounds; round += 1) {
    fill();
    await Promise.all(slots.map(workUntilFull));
    for (const slot of slots)
      await goOn(slot, 'reading on a full disk failed', async () => void (await store.header(slot.runId)));
    rmSync(orders.ballast);
    for (const slot of slots) await goOn(slot, 'the disk has room again and a commit failed', () => slot.append());
    for (const slot of slots) await goOn(slot, 'the disk has room again and a new run failed', () => slot.create(null));
  }
  await store.close();
  say({ type: 'done' });
}

main().catch((error: unknown) => {
  say(failureLine('the workload', error));
  process.exit(4);
});
// Ends what hangs, and nothing else.
setTimeout(() => process.exit(3), 600_000).unref();
