import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { batchOf } from '../../testing/contract/commit/seal-batch.ts';
import { creationOf, externalWriteOf } from '../../testing/contract/given.ts';
import { withCalls } from '../../testing/with-calls.ts';
import type { Batch } from '../contract/commit.ts';
import type { StoreDriver } from '../contract/driver.ts';
import { LiveDriver } from '../live/live-driver.ts';
import { MemoryDriver } from '../memory/driver.ts';
import { MemoryPlace } from '../memory/memory-place.ts';
import { type Fault, storeFault } from '../store-fault.ts';
import { transactForSure } from './transact.ts';

type Transact = NonNullable<StoreDriver['transact']>;

interface SetUp {
  /** How the driver's own `transact` differs from the plain one, which commits the batch. */
  readonly transact?: (plain: Transact) => Transact;
  readonly patienceMs?: number;
  readonly resolveDoubt?: StoreDriver['resolveDoubt'];
}

/** A memory driver with a run `a`, and a `transact` over it. */
async function setUp({ transact = (plain) => plain, patienceMs = 5_000, resolveDoubt }: SetUp = {}) {
  const inside = new MemoryDriver(new MemoryPlace(), nodeEnv);
  await inside.commit([batchOf(creationOf('a', {}), { token: 'created' })]);
  const plain: Transact = async (given) => {
    const [result] = await inside.commit([given.batchOf(await given.run('client'))]);
    return result ?? { ok: true };
  };
  const outer = withCalls(inside, { transact: transact(plain), ...(resolveDoubt && { resolveDoubt }) });
  const env = { ...nodeEnv, clock: { ...nodeEnv.clock, sleep: () => new Promise<void>((done) => setImmediate(done)) } };
  const driver = new LiveDriver(outer, { env, patienceMs });
  const headOf = async (): Promise<number | undefined> => {
    const { headers } = await inside.runs({ order: 'oldest', limit: 1 });
    return headers[0]?.head;
  };
  return { driver, headOf };
}

const write = (expected = 1): Batch => batchOf(externalWriteOf('a', { expect: expected }), { token: 'written' });

async function transact(given: SetUp, { run = () => 1, made = () => write() }: Partial<Made> = {}) {
  const { driver, headOf } = await setUp(given);
  const work = { run, batchOf: made, again: async () => false };
  const result = await transactForSure({ driver, patience: driver.patience(), transaction: work }).catch(
    (error: { readonly code: string }) => error.code,
  );
  return { result, head: await headOf() };
}

interface Made {
  readonly run: (client: unknown) => unknown;
  readonly made: (result: unknown) => Batch;
}

/** Fails like this, before or after the batch was committed. */
const failing =
  (fault: Omit<Fault, 'cause'>, when: 'early' | 'before' | 'after') =>
  (plain: Transact): Transact => {
    return async (given) => {
      if (when === 'after') await plain(given);
      if (when === 'before') given.batchOf(await given.run('client'));
      throw storeFault({ ...fault, cause: new Error('lost') });
    };
  };

describe('transactForSure()', () => {
  test('commits the batch that is made of the result', async () => {
    const given: unknown[] = [];
    const made = (result: unknown): Batch => (given.push(result), write());
    expect(await transact({}, { run: (client) => [client], made })).toMatchObject({
      result: { ok: true, batch: { token: 'written' } },
      head: 2,
    });
    expect(given).toEqual([['client']]);
  });

  test('gives the reason of a refusal', async () => {
    expect(await transact({}, { made: () => write(7) })).toEqual({ result: { ok: false, why: 'head' }, head: 1 });
  });

  test.each([
    ['the work', { run: () => throwIt() }],
    ['asynchronous work', { run: () => Promise.reject(new Error('mine')) }],
    ['the batch', { made: () => throwIt() }],
  ])('gives back what %s throws', async (_, made) => {
    const { result, head } = await transact({}, made);
    expect(result).toMatchObject({ ok: false, why: 'threw', error: { message: 'mine' } });
    expect(head).toBe(1);
  });

  test.each([
    ['committed although its answer was lost', failing({ effect: 'unknown' }, 'after'), { ok: true }, 2],
    ['absent when it did not arrive', failing({ effect: 'unknown' }, 'before'), { ok: false, why: 'absent' }, 1],
    [
      'absent after a passing fault',
      failing({ effect: 'none', transient: true }, 'early'),
      { ok: false, why: 'absent' },
      1,
    ],
  ])('is %s', async (_, change, result, head) => {
    expect(await transact({ transact: change })).toMatchObject({ result, head });
  });

  test('fails without effect when trying again does not help', async () => {
    const lasting = failing({ effect: 'unknown' }, 'early');
    expect((await transact({ transact: lasting })).result).toBe('HOLDFAST_STORE_FAILED');
  });

  test('is in doubt when the store cannot tell', async () => {
    const lost = failing({ effect: 'unknown' }, 'after');
    expect((await transact({ transact: lost, resolveDoubt: async () => ({ outcome: 'unknown' }) })).result).toBe(
      'HOLDFAST_IN_DOUBT',
    );
  });

  test('is not tried on a driver that is poisoned', async () => {
    const poisoned = failing({ effect: 'none', poisoned: true }, 'early');
    const { driver } = await setUp({ transact: poisoned });
    const once = () =>
      transactForSure({
        driver,
        patience: driver.patience(),
        transaction: { run: () => 1, batchOf: () => write(), again: async () => false },
      });
    await expect(once()).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FAILED' });
    await expect(once()).rejects.toMatchObject({ code: 'HOLDFAST_STORE_POISONED' });
  });
});

function throwIt(): never {
  throw new Error('mine');
}
