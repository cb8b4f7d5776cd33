import * as fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { Vector } from './vector.ts';

const numbers = (count: number): readonly number[] => Object.freeze(Array.from({ length: count }, (_, index) => index));

describe('Vector', () => {
  test('keeps the array it started with', () => {
    const items = numbers(3);
    expect(Vector.of(items).toArray()).toBe(items);
    expect(Vector.of(items).append([]).toArray()).toBe(items);
  });

  test('creates the frozen array once', () => {
    const vector = Vector.of([]).append([1, 2]);
    expect(vector.toArray()).toEqual([1, 2]);
    expect(vector.toArray()).toBe(vector.toArray());
    expect(Object.isFrozen(vector.toArray())).toBe(true);
  });

  test('keeps old views when newer ones grow past a chunk', () => {
    const views = [Vector.of(numbers(5))];
    for (let index = 5; index < 1000; index += 1) views.push((views.at(-1) as Vector).append([index]));
    for (const view of views) expect(view.toArray()).toEqual(numbers(view.length));
  });

  test('grows two branches apart', () => {
    const trunk = Vector.of([]).append(numbers(300));
    const left = trunk.append(['left']);
    const right = trunk.append(['right']);
    expect(left.at(300)).toBe('left');
    expect(right.at(300)).toBe('right');
    expect(trunk.toArray()).toEqual(numbers(300));
  });

  test('refuses to put past the end', () => {
    expect(() => Vector.of([1]).put(new Map([[300, 2]]))).toThrow(RangeError);
  });

  test('copies nothing to append', () => {
    let reads = 0;
    const base = new Proxy(numbers(1_000), {
      get: (target, key) => {
        if (key !== 'length') reads += 1;
        return Reflect.get(target, key) as unknown;
      },
    });
    let vector = Vector.of(base).append(numbers(1_000));
    const slice = vi.spyOn(Array.prototype, 'slice');
    const concat = vi.spyOn(Array.prototype, 'concat');
    for (let step = 0; step < 1_000; step += 1) vector = vector.append([step]);
    const copies = slice.mock.calls.length + concat.mock.calls.length;
    slice.mockRestore();
    concat.mockRestore();
    expect({ copies, reads, length: vector.length }).toEqual({ copies: 0, reads: 0, length: 3_000 });
    expect(vector.toArray()).toEqual([...numbers(1_000), ...numbers(1_000), ...numbers(1_000)]);
  });
});

const at = (id: string): { readonly id: string } => ({ id });

describe('Vector.indexOfId()', () => {
  test('finds ids, including appended ones, and no missing ones', () => {
    const vector = Vector.of([at('a'), {}, 'text', null, { id: 5 }]);
    expect(vector.indexOfId('a')).toBe(0);
    const longer = vector.append([at('b'), {}]);
    expect(longer.indexOfId('b')).toBe(5);
    expect(longer.indexOfId('c')).toBe(-1);
    expect(vector.indexOfId('b')).toBe(-1);
  });

  test('returns the first of several', () => {
    const vector = Vector.of([at('a'), at('a')]);
    expect(vector.indexOfId('a')).toBe(0);
    expect(vector.append([at('a')]).indexOfId('a')).toBe(0);
  });

  test('is not misled by another branch', () => {
    const trunk = Vector.of([at('a')]);
    expect(trunk.indexOfId('a')).toBe(0);
    const left = trunk.append([at('l'), at('x')]);
    const right = trunk.append([at('r'), at('l'), at('y')]);
    const again = trunk.append([at('l')]);
    expect(right.indexOfId('l')).toBe(2);
    expect(right.indexOfId('x')).toBe(-1);
    expect(left.indexOfId('l')).toBe(1);
    expect(left.indexOfId('y')).toBe(-1);
    expect(again.indexOfId('l')).toBe(1);
    expect(again.indexOfId('x')).toBe(-1);
  });

  test('notices when an item is replaced by one with another id', () => {
    const vector = Vector.of([at('a'), at('b')]);
    expect(vector.indexOfId('b')).toBe(1);
    const changed = vector.put(new Map([[0, at('b')]]));
    expect(changed.indexOfId('b')).toBe(0);
    expect(changed.indexOfId('a')).toBe(-1);
    expect(vector.indexOfId('a')).toBe(0);
  });
});

type Operation =
  | { readonly type: 'append'; readonly view: number; readonly count: number }
  | { readonly type: 'put'; readonly view: number; readonly places: readonly number[] }
  | { readonly type: 'keep'; readonly view: number; readonly share: number }
  | { readonly type: 'find'; readonly view: number; readonly id: number };

const view = fc.nat(1000);
const operation: fc.Arbitrary<Operation> = fc.oneof(
  fc.record({ type: fc.constant('append' as const), view, count: fc.oneof(fc.nat(3), fc.nat(400)) }),
  fc.record({
    type: fc.constant('put' as const),
    view,
    places: fc.array(fc.nat(2000), { minLength: 1, maxLength: 3 }),
  }),
  fc.record({ type: fc.constant('keep' as const), view, share: fc.double({ min: 0, max: 1, noNaN: true }) }),
  fc.record({ type: fc.constant('find' as const), view, id: fc.nat(50) }),
);

interface Pair {
  readonly vector: Vector;
  readonly model: readonly unknown[];
}

const findId = (items: readonly unknown[], id: string): number =>
  items.findIndex((item) => typeof item === 'object' && item !== null && 'id' in item && item.id === id);

/** Ids repeat, so that branches have the same ids at different indices. */
const item = (n: number): unknown => (n % 3 === 0 ? n : { id: `m${n % 50}`, n });

function run(pair: Pair, step: Operation, next: () => number): Pair {
  const { vector, model } = pair;
  switch (step.type) {
    case 'append': {
      const items = Array.from({ length: step.count }, () => item(next()));
      return { vector: vector.append(items), model: [...model, ...items] };
    }
    case 'put': {
      if (model.length === 0) return pair;
      const puts = new Map(step.places.map((place) => [place % model.length, item(next())] as const));
      return { vector: vector.put(puts), model: model.map((old, index) => (puts.has(index) ? puts.get(index) : old)) };
    }
    case 'keep': {
      const count = Math.floor(model.length * step.share);
      return { vector: vector.keep(count), model: model.slice(0, count) };
    }
    case 'find':
      // Look up ids in between, so that the index exists when branches diverge.
      vector.indexOfId(`m${step.id}`);
      return pair;
  }
}

function expectPair({ vector, model }: Pair): void {
  expect(vector.length).toBe(model.length);
  expect(model.every((each, index) => vector.at(index) === each)).toBe(true);
  expect(vector.toArray()).toEqual(model);
  for (const id of ['m1', 'm7', 'm49']) expect(vector.indexOfId(id)).toBe(findId(model, id));
}

test('a vector is a plain array, in every view of every branch', () => {
  const alike = fc.property(fc.array(operation, { maxLength: 60 }), fc.nat(600), (operations, start) => {
    let count = 0;
    const next = (): number => count++;
    const first = Object.freeze(Array.from({ length: start }, () => item(next())));
    const pairs: Pair[] = [{ vector: Vector.of(first), model: first }];
    for (const step of operations) pairs.push(run(pairs[step.view % pairs.length] as Pair, step, next));
    pairs.forEach(expectPair);
  });
  fc.assert(alike, { numRuns: 200 });
});
