// A process that does the same few things to a store every time, one after the other, and continues after a failure as a
// careful caller would. Its orders are its only argument.
import type { CheckedStore } from '../../../src/store/checked-store.ts';
import { seededRandom } from '../../../src/testing/seeded-random.ts';
import { inThreads } from '../mutant/files-mutants.ts';
import { openPlace, type Place } from '../place/open-place.ts';
import { failureLine } from './failure.ts';
import { say } from './line.ts';
import { observed } from './observed.ts';
import { creation } from './probe.ts';
import { Slot } from './slot.ts';

/** What the script is told. */
export interface ScriptOrders {
  readonly place: Place;
  readonly session: string;
  /** Runs that are there: one to append to, one to append to and trim, one to remove. */
  readonly runs: readonly [string, string, string];
  /** Dies at its first failure, without another word to the store. */
  readonly dies: boolean;
  /** Files only: commits that come alone are made at once, as they are without a harness. */
  readonly atOnce: boolean;
}

const orders = JSON.parse(process.argv[2] ?? '') as ScriptOrders;
/** The same each time, so that files get the same names. */
const random = seededRandom(1);
let tokens = 0;
let store: CheckedStore;

function newSlot(): Slot {
  return new Slot({
    store: () => store,
    session: orders.session,
    newToken: () => `${orders.session}.${++tokens}`,
    random,
  });
}

/**
 * strace counts the calls of each thread by itself, so that a fault of a commit can come again when the store is opened.
 * All writes and syncs are left to the one thread of the pool, mostly: a fault comes once.
 */
const files = orders.atOnce ? undefined : inThreads;
const mostOpenings = 3;

async function open(): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      store = await openPlace(orders.place, { observe: observed, warn: () => {}, random, files });
      return;
    } catch (error) {
      if (orders.dies || tries === mostOpenings) throw error;
      say(failureLine('opening', error));
    }
  }
}

interface Attempt {
  readonly slot: Slot;
  readonly act: () => Promise<void>;
}

/** Does things, all at once; after a failure does what the store said is safe to do. */
async function attempt(...attempts: readonly Attempt[]): Promise<void> {
  const failed = store;
  const settled = await Promise.allSettled(attempts.map(({ act }) => act()));
  for (const [at, { slot, act }] of attempts.entries()) {
    const outcome = settled[at];
    if (outcome?.status !== 'rejected') continue;
    const failure = failureLine(slot.tokenInFlight, outcome.reason);
    say(failure);
    if (orders.dies) process.kill(process.pid, 'SIGKILL');
    const isUndone = failure.code === 'HOLDFAST_STORE_FAILED' && failure.effect === 'none' && !failure.poisoned;
    if (isUndone) await again(act);
    else await startOver(slot, failed);
  }
}

/** What had no effect can be done again, in the same process. */
async function again(act: () => Promise<void>): Promise<void> {
  try {
    await act();
    say({ type: 'trusted' });
  } catch (error) {
    say({ type: 'wrong', what: `a call that had no effect failed again: ${failureLine('again', error).message}` });
  }
}

/** What is in doubt is read again from a store that was opened anew; the failed one is asked once more before. */
async function startOver(slot: Slot, failed: CheckedStore): Promise<void> {
  if (store === failed) {
    try {
      say(await creation(failed, `${orders.session}.${++tokens}`));
      say({ type: 'trusted' });
    } catch (error) {
      say(failureLine('after', error));
    }
    await failed.close().catch(() => {});
    await open();
  }
  const header = slot.runId === '' ? undefined : await store.header(slot.runId);
  if (header === undefined) slot.forget();
  else slot.catchUp(header);
}

/** Continues with the run as it is now; a read that fails is tried again on a store that was opened anew. */
async function slotOn(runId: string): Promise<Slot> {
  const slot = newSlot();
  const catchUp = async (): Promise<void> => {
    const header = await store.header(runId);
    if (header !== undefined) slot.catchUp(header);
  };
  try {
    await catchUp();
  } catch (error) {
    say(failureLine('reading', error));
    await store.close().catch(() => {});
    await open();
    await catchUp();
  }
  return slot;
}

async function main(): Promise<void> {
  await open();
  say({ type: 'open' });
  const [first, second, third] = orders.runs;
  const slots = {
    created: newSlot(),
    first: await slotOn(first),
    second: await slotOn(second),
    third: await slotOn(third),
  };
  await attempt({ slot: slots.created, act: () => slots.created.create(null) });
  await attempt({ slot: slots.first, act: () => slots.first.append() });
  await attempt({ slot: slots.first, act: () => slots.first.append({ snapshot: true }) });
  // Of a run whose files are at hand, and without a snapshot: then nothing is left to threads.
  for (let lone = 0; orders.atOnce && lone < 3; lone += 1) {
    await attempt({ slot: slots.first, act: () => slots.first.append({ snapshot: false }) });
  }
  // Two at once go in one group.
  await attempt(...[slots.first, slots.second].map((slot) => ({ slot, act: () => slot.append() })));
  slots.second = await slotOn(second);
  await attempt({ slot: slots.second, act: () => slots.second.trim() });
  await attempt({ slot: slots.third, act: () => slots.third.remove() });
  say({ type: 'closing' });
  await store.close();
  say({ type: 'done' });
}

main().catch((error: unknown) => {
  say(failureLine('opening', error));
  process.exit(4);
});
setTimeout(() => process.exit(3), 20_000).unref();
