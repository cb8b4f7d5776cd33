// A process that shares a store with another: it works on runs of its own, and on shared ones whenever it can claim
// one. Its orders are its only argument. It ends when its input does.

import type { Writer } from '../../../src/store/check/check-commit.ts';
import type { CheckedStore } from '../../../src/store/checked-store.ts';
import { seededRandom } from '../../../src/testing/seeded-random.ts';
import { openPlace, type Place } from '../place/open-place.ts';
import { failureLine } from '../workload/failure.ts';
import { say, sharedMs } from '../workload/line.ts';
import { observed } from '../workload/observed.ts';
import { Slot } from '../workload/slot.ts';
import type { LeaseLine, OwnedPayload } from './lease-line.ts';

/** What a worker is told. */
export interface WorkerOrders {
  readonly place: Place;
  readonly worker: string;
  readonly seed: number;
  readonly runs: readonly string[];
  readonly leaseMs: number;
}

type Spanless<T> = T extends unknown ? Omit<T, 'from' | 'to' | 'worker'> : never;

const { place, worker, seed, runs, leaseMs } = JSON.parse(process.argv[2] ?? '') as WorkerOrders;
const random = seededRandom(seed);
let isEnding = false;

async function timed<T>(ask: () => Promise<T>, lineOf: (answer: T) => Spanless<LeaseLine> | undefined): Promise<T> {
  const from = sharedMs();
  const answer = await ask();
  const line = lineOf(answer);
  if (line !== undefined) say({ ...line, worker, from, to: sharedMs() });
  return answer;
}

async function beat(store: CheckedStore): Promise<void> {
  while (!isEnding) {
    await timed(
      () => store.claim({ type: 'heartbeat', worker, leaseMs }),
      () => ({ type: 'beat', leaseMs }),
    );
    await pause(leaseMs / 3);
  }
}

/** Claims a run, commits to it a few times and lets go. Continues with the fence that it has, however late it is. */
async function takeTurns(store: CheckedStore): Promise<void> {
  while (!isEnding) {
    const runId = runs[Math.floor(random() * runs.length)] ?? '';
    const { claimed } = await timed(
      () => store.claim({ type: 'one', worker, leaseMs, runId, ifDue: false }),
      ({ claimed: [leased] }) => leased && { type: 'claim', runId, fence: leased.header.fence },
    );
    const [leased] = claimed;
    if (leased === undefined) await pause(2);
    else await own(store, { runId, fence: leased.header.fence, head: leased.header.head });
  }
}

interface Owned {
  readonly runId: string;
  readonly fence: number;
  readonly head: number;
}

async function own(store: CheckedStore, { runId, fence, head }: Owned): Promise<void> {
  const turns = 1 + Math.floor(random() * 30);
  let expect = head;
  for (let turn = 0; turn < turns; turn += 1) {
    const payload: OwnedPayload = { worker, fence };
    const writer: Writer = { by: 'owner', fence };
    const outcome = await timed(
      () => store.commit({ runId, writer, expect, entries: [{ kind: 'note', at: 0, payload }] }),
      (answer) => {
        if (answer.ok) return { type: 'owned', runId, fence, seq: answer.head };
        return answer.why === 'fence' ? { type: 'stale', runId, fence } : undefined;
      },
    );
    if (outcome.ok) expect = outcome.head;
    else if (outcome.why === 'fence') return;
    // A writer that is told of a newer head looks again: only the fence keeps it out then.
    else expect = outcome.found?.head ?? expect;
    if (random() < 0.2) await pause(1);
  }
  await timed(
    () => store.claim({ type: 'release', worker, runIds: [runId] }),
    () => ({ type: 'release', runId, fence }),
  );
}

async function workAlone(store: CheckedStore): Promise<void> {
  let tokens = 0;
  const slot = new Slot({ store: () => store, session: worker, newToken: () => `${worker}.${++tokens}`, random });
  while (!isEnding) {
    await slot.act();
    await pause(1);
  }
}

function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
}

async function main(): Promise<void> {
  const store = await openPlace(place, { observe: observed, warn: () => {} });
  say({ type: 'open' });
  await Promise.all([beat(store), takeTurns(store), workAlone(store)]);
  await store.claim({ type: 'release', worker });
  await store.close();
  say({ type: 'done' });
  process.exit(0);
}

process.stdin
  .on('end', () => {
    isEnding = true;
  })
  .resume();
// Ends what hangs, and nothing else.
setTimeout(() => process.exit(3), 600_000).unref();
main().catch((error: unknown) => {
  say(failureLine('working', error));
  process.exit(4);
});
