// What a super-step costs on the wire: round trips, counted by a proxy that reads the protocol.
import { counter, graph, openEngine, type Store } from 'holdfast';
import { describe, expect, onTestFinished, test } from 'vitest';
import { withCalls } from '../../src/testing/with-calls.ts';
import { changedStore, openProxied } from './proxied-store.ts';

type Body = () => { readonly n: number } | Promise<{ readonly n: number }>;

const bodies: Readonly<Record<string, Body>> = {
  synchronous: () => ({ n: 1 }),
  asynchronous: async () => ({ n: 1 }),
  'that wait for a timer': () => new Promise((resolve) => setTimeout(() => resolve({ n: 1 }), 1)),
};

function chainOf(body: Body, length: number) {
  return graph('chain', { state: { n: counter() } })
    .node('one', body)
    .edge('start', 'one')
    .route('one', ['one', 'end'], ({ n }) => (n < length ? 'one' : 'end'))
    .compile();
}

/** How many round trips 50 super-steps take. */
async function tripsOf50(body: Body, change: (store: Store) => Store = (store) => store): Promise<number> {
  const { store, tripsOf } = await openProxied(onTestFinished);
  // So long that no heartbeat comes in between.
  const engine = await openEngine(change(store), { lease: '10m' });
  onTestFinished(() => engine.close());
  const tripsOfRun = async (length: number): Promise<number> => {
    const trips = await tripsOf(async () => {
      const run = await engine.start(chainOf(body, length), {}, { id: `of-${length}`, maxSupersteps: 1_000 });
      expect(await run.outcome()).toMatchObject({ status: 'completed', state: { n: length } });
    });
    return trips.length;
  };
  return (await tripsOfRun(60)) - (await tripsOfRun(10));
}

describe('a super-step on Postgres', () => {
  test.each(Object.entries(bodies))('takes exactly one round trip, with nodes %s', async (_, body) => {
    expect(await tripsOf50(body)).toBe(50);
  });

  test('is found out when it reads before it writes', async () => {
    const reading = changedStore((driver) =>
      withCalls(driver, {
        commit: async (batches) => {
          await driver.ids({ runId: batches[0]?.runId ?? '', limit: 1 });
          return driver.commit(batches);
        },
      }),
    );
    expect(await tripsOf50(() => ({ n: 1 }), reading)).toBeGreaterThanOrEqual(100);
  });
});
