import * as fc from 'fast-check';

/** What a node of a random graph does; everything follows from the state, so that two interpreters can agree. */
export interface NodePlan {
  readonly name: string;
  readonly kind: 'node' | 'each' | 'graph';
  /** An `each` has as many items as this and the state say. */
  readonly items: number;
  readonly concurrency: number;
  /** So many tries fail, of an `each` those of its second item. */
  readonly fails: number;
  readonly attempts: number;
  readonly hasCatch: boolean;
  /** Where it goes instead of along its edges, and how often. */
  readonly gotos: readonly string[];
  readonly gotoEvery: number;
  /** Writes the last-value channel too. */
  readonly writesLast: boolean;
  /** For a `graph`: the lengths of its two branches. */
  readonly inner: readonly [number, number];
}

/** A choice on the state: one of these sets of targets. */
interface RoutePlan {
  readonly from: string;
  readonly choices: readonly (readonly string[])[];
}

/** A random graph. */
export interface GraphPlan {
  readonly nodes: readonly NodePlan[];
  readonly edges: readonly (readonly [string, string])[];
  readonly joins: readonly { readonly sources: readonly string[]; readonly targets: readonly string[] }[];
  readonly routes: readonly RoutePlan[];
  readonly maxSupersteps: number;
}

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

function nodePlan(name: string, all: readonly string[]): fc.Arbitrary<NodePlan> {
  return fc.record({
    name: fc.constant(name),
    kind: fc.oneof(
      { arbitrary: fc.constant('node' as const), weight: 8 },
      { arbitrary: fc.constant('each' as const), weight: 3 },
      { arbitrary: fc.constant('graph' as const), weight: 1 },
    ),
    items: fc.integer({ min: 0, max: 4 }),
    concurrency: fc.integer({ min: 1, max: 3 }),
    fails: fc.oneof({ arbitrary: fc.constant(0), weight: 6 }, fc.integer({ min: 1, max: 3 })),
    attempts: fc.integer({ min: 1, max: 4 }),
    hasCatch: fc.boolean(),
    gotos: fc.oneof(
      { arbitrary: fc.constant([]), weight: 3 },
      fc.subarray([...all, 'end'], { minLength: 1, maxLength: 2 }),
    ),
    gotoEvery: fc.integer({ min: 1, max: 3 }),
    writesLast: fc.boolean(),
    inner: fc.tuple(fc.integer({ min: 1, max: 2 }), fc.integer({ min: 1, max: 2 })),
  });
}

/** Edges that make every node reachable, and then some. */
function edgePlans(all: readonly string[]): fc.Arbitrary<readonly (readonly [string, string])[]> {
  const tree = fc.tuple(
    ...all.map((name, at) =>
      fc.constantFrom('start', ...all.slice(0, at)).map((from) => [at === 0 ? 'start' : from, name] as const),
    ),
  );
  const more = fc.array(fc.tuple(fc.constantFrom(...all), fc.constantFrom(...all, 'end')), { maxLength: 3 });
  return fc.tuple(tree, more).map(([needed, extra]) => [...needed, ...extra]);
}

/** Random graphs, with cycles, nested joins and everything else. */
export const graphPlan: fc.Arbitrary<GraphPlan> = fc.integer({ min: 2, max: names.length }).chain((size) => {
  const all = names.slice(0, size);
  const join = fc.record({
    sources: fc.subarray(all, { minLength: 2, maxLength: Math.min(3, size) }),
    targets: fc.subarray(all, { minLength: 1, maxLength: 2 }),
  });
  const route = fc.record({
    from: fc.constantFrom(...all),
    choices: fc.array(fc.subarray([...all, 'end'], { maxLength: 2 }), { minLength: 1, maxLength: 3 }),
  });
  return fc.record({
    nodes: fc.tuple(...all.map((name) => nodePlan(name, all))),
    edges: edgePlans(all),
    joins: fc.array(join, { maxLength: 3 }),
    routes: fc.array(route, { maxLength: 2 }),
    maxSupersteps: fc.integer({ min: 4, max: 20 }),
  });
});
