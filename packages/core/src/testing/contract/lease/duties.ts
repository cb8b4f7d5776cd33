import assert from 'node:assert/strict';
import type { CheckedStore } from '../../../store/checked-store.ts';
import type { Contract } from '../contract.ts';
import { claimDue, claimOne, create, leaseMs } from '../given.ts';

type Test = Contract['test'];

async function ask(store: CheckedStore, worker: string, name = 'sweep', everyMs = 60_000): Promise<boolean> {
  const { granted, claimed } = await store.claim({ type: 'duty', worker, name, everyMs });
  assert.deepEqual(claimed, []);
  return granted;
}

/** What a duty promises: one worker of the fleet does it, and not more often than asked. */
export function dutyTests(test: Test): void {
  test('grants a duty once in its interval, whoever asks', async (bench) => {
    const { store } = bench;
    assert.equal(await ask(store, 'first'), true);
    assert.equal(await ask(store, 'first'), false);
    assert.equal(await ask(store, 'second'), false);
    await bench.advance(59_999);
    assert.equal(await ask(store, 'second'), false);
    await bench.advance(2);
    assert.equal(await ask(store, 'second'), true);
    assert.equal(await ask(store, 'first'), false);
  });

  test('tells duties apart, and goes by the interval of whoever asks', async (bench) => {
    const { store } = bench;
    assert.deepEqual([await ask(store, 'w', 'sweep'), await ask(store, 'w', 'other')], [true, true]);
    await bench.advance(100);
    assert.deepEqual([await ask(store, 'w', 'sweep', 101), await ask(store, 'w', 'sweep', 99)], [false, true]);
    assert.equal(await ask(store, 'w', 'other'), false);
  });

  test('grants a duty to one of many who ask at once', async ({ store }) => {
    const workers = Array.from({ length: 10 }, (_, at) => `w-${at}`);
    const answers = await Promise.all(workers.map((worker) => ask(store, worker)));
    assert.equal(answers.filter(Boolean).length, 1);
  });

  test('grants a duty to one of two open drivers, and remembers it where it reopens', async (bench) => {
    const { shared, reopens } = bench.store.capabilities;
    assert.equal(await ask(bench.store, 'first'), true);
    if (shared) assert.equal(await ask((await bench.openAnother()).store, 'second'), false);
    await bench.crash();
    assert.equal(await ask(bench.store, 'third'), !reopens);
  });

  test('grants nothing with other requests', async ({ store }) => {
    await create(store, 'run', { wakeAt: 0 });
    const answers = [
      await store.claim({ type: 'heartbeat', worker: 'w', leaseMs }),
      await claimDue(store, 'w'),
      await claimOne(store, 'w', 'run'),
      await store.claim({ type: 'release', worker: 'w' }),
    ];
    assert.deepEqual(
      answers.map(({ granted }) => granted),
      [false, false, false, false],
    );
  });
}
