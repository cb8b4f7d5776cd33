import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { seededRandom } from '../../src/testing/seeded-random.ts';
import { MovesBench } from './moves/kill-moves.ts';
import { mutants } from './moves/mutants.ts';
import type { StoreKind } from './moves/operation.ts';
import { build } from './runner/slice.ts';

/** A slice; `npm run test:moves` has 200 of each, on both stores, and every mutant. */
const slice = [
  { operation: 'prune', store: 'sqlite' },
  { operation: 'delete', store: 'file' },
  { operation: 'import', store: 'file' },
  { operation: 'promote', store: 'sqlite' },
] as const;
/** Those that few kills find. */
const soonFound = mutants.filter(({ name }) => name.startsWith('leaves out') || name.startsWith('drops records'));
/** Whether a kill strikes where a mutant shows is chance: it is killed until one does, at most so often. */
const mutantKills = 1_000;
/** Ends what hangs, and nothing else. */
const timeout = 1_200_000;
const seed = Number(process.env['HOLDFAST_SEED'] ?? 1);

const benches = new Map<StoreKind, MovesBench>();
beforeAll(async () => {
  build();
  for (const store of ['file', 'sqlite'] as const) benches.set(store, await MovesBench.prepare(store));
});
afterAll(async () => {
  for (const bench of benches.values()) await bench[Symbol.asyncDispose]();
});

function benchOf(store: StoreKind): MovesBench {
  return benches.get(store) as MovesBench;
}

describe.each(slice)('$operation on $store whose process is killed', ({ operation, store }) => {
  test('loses nothing, shows nothing that is not whole, and is completed by another call', {
    timeout,
  }, async () => {
    const report = await benchOf(store).kill({ operation, kills: 1, inTheMiddle: 1, random: seededRandom(seed) });
    expect(report).toMatchObject({ inTheMiddle: 1, violations: [] });
  });
});

describe.each(soonFound)('$operation that $name', ({ name, operation }) => {
  test('is found out', { timeout }, async () => {
    const random = seededRandom(seed);
    const { violations } = await benchOf('sqlite').kill({ operation, kills: mutantKills, random, mutant: name });
    expect(violations).not.toEqual([]);
  });
});
