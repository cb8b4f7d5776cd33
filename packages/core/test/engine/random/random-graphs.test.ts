import * as fc from 'fast-check';
import { type Engine, HoldfastError, openEngine } from 'holdfast';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { build, type RandomGraph } from './build.ts';
import { type GraphPlan, graphPlan } from './plan.ts';
import { interpret, type Observed } from './reference.ts';

const graphs = Number(process.env['HOLDFAST_GRAPHS'] ?? 200);

describe('random graphs', () => {
  let engine: Engine;

  beforeAll(async () => {
    engine = await openEngine('memory:');
  });
  afterAll(() => engine.close());

  test('come to what the rules say', async () => {
    const seen = { completed: 0, failed: 0, joins: 0, cycles: 0 };
    await fc.assert(
      fc.asyncProperty(graphPlan, async (plan) => {
        const ran: Record<string, number> = {};
        const graph = compiled(plan, ran);
        fc.pre(graph !== undefined);
        const expected = interpret(plan);
        const found = await observe(engine, graph, { plan, ran });
        expect(comparable(plan, found)).toEqual(comparable(plan, expected));
        seen[expected.status as 'completed' | 'failed'] += 1;
        if (plan.joins.length > 0) seen.joins += 1;
        if (expected.steps > plan.nodes.length) seen.cycles += 1;
      }),
      { numRuns: graphs },
    );
    // A generator that only makes trivial graphs proves nothing.
    expect(Math.min(...Object.values(seen))).toBeGreaterThan(graphs / 20);
  });
});

/** A run that fails does not wait for the children of the failed node's siblings: whether they ended is left open. */
function comparable({ nodes }: GraphPlan, { ran, ...rest }: Observed): Observed {
  const isOpen = (key: string): boolean =>
    rest.status === 'failed' && nodes.some(({ name, kind }) => name === key && kind === 'graph');
  return { ...rest, ran: Object.fromEntries(Object.entries(ran).filter(([key]) => !isOpen(key))) };
}

function compiled(plan: GraphPlan, ran: Record<string, number>): RandomGraph | undefined {
  try {
    return build(plan, ran);
  } catch (error) {
    if (HoldfastError.is(error, 'HOLDFAST_INVALID_GRAPH')) return undefined;
    throw error;
  }
}

interface Given {
  readonly plan: GraphPlan;
  readonly ran: Record<string, number>;
}

async function observe(engine: Engine, graph: RandomGraph, { plan, ran }: Given): Promise<Observed> {
  const run = await engine.start(graph, {}, { maxSupersteps: plan.maxSupersteps });
  const outcome = await run.outcome();
  const frontiers: (readonly string[])[] = [];
  for await (const { kind, payload } of engine.journal.read(run.id)) {
    if (kind !== 'run-start' && kind !== 'superstep') continue;
    frontiers.push((payload as { readonly next?: readonly string[] }).next ?? []);
  }
  const { superstep: step } = await run.summary();
  const { visits, log, last } = outcome.state;
  const code = outcome.status === 'failed' ? outcome.error.code : undefined;
  return { status: outcome.status, code, state: { visits, log: [...log], last }, steps: step, frontiers, ran };
}
