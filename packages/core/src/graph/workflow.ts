import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { In, Out } from '../channel/standard-schema.ts';
import type { Asks, Receives } from './ask.ts';
import type { Again } from './body/again.ts';
import { compileDraft } from './compile/compile-draft.ts';
import { publicGraph } from './compile/compiled.ts';
import { complainOfName, type Problem, quoted } from './compile/problem.ts';
import type { Context } from './context.ts';
import type { DraftNode } from './draft/draft.ts';
import { isOptions } from './draft/is-options.ts';
import { type Definition, readDefinition } from './graph-definition.ts';
import { type Policy, readPolicy } from './policy.ts';
import type { Graph, WorkflowShape } from './shape.ts';

/**
 * A durable function: a graph with one node, 'main', and no channels. You start, answer, fork and list its runs like any
 * other.
 *
 * @example
 * ```ts
 * const welcome = workflow('welcome', { input: z.string() }, async (name, { step, sleep }) => {
 *   const account = await step('create account', () => accounts.create(name));
 *   await sleep('3d');
 *   return step('send mail', ({ key }) => mail.send(account, key), { retry: 3 });
 * });
 * ```
 *
 * @throws HOLDFAST_INVALID_GRAPH
 */
export function workflow<
  I extends StandardSchemaV1,
  const O,
  const A extends Asks = Record<never, never>,
  const R extends Receives = Record<never, never>,
  E = unknown,
  P extends object = Record<never, never>,
  V = O,
>(
  name: string,
  definition: {
    readonly input: I;
    /** The schema of what the function returns. The run's output is what it makes of that. */
    readonly output?: StandardSchemaV1<O, V>;
  } & Definition<A, R, E, P> &
    Policy,
  fn: (
    input: Out<I>,
    context: Context<{
      readonly state: Record<never, never>;
      readonly asks: A;
      readonly receives: R;
      readonly emits: E;
      readonly deps: P;
    }>,
  ) => Promise<O | Again<In<I>>>,
): Graph<WorkflowShape<In<I>, V, A, R, E, P>> {
  const problems: Problem[] = [];
  const complain = (what: string): unknown => problems.push({ what });
  complainOfName('workflow', name, complain);
  const read = readDefinition('workflow', definition, complain);
  const title = typeof name === 'string' ? `workflow ${quoted(name)}` : 'a workflow';
  if (typeof fn !== 'function') complain('It has no function. Pass one that takes the input and a context.');
  const main: DraftNode = {
    name: 'main',
    work: { type: 'workflow', run: fn as (input: unknown, context: object) => unknown },
    policy: readPolicy(isOptions(definition) ? definition : undefined, { where: title, complain }),
    isOnce: false,
    catch: undefined,
    to: new Set(),
  };
  const compiled = compileDraft({
    kind: 'workflow',
    name: typeof name === 'string' ? name : undefined,
    definition: read,
    nodes: [main],
    links: [
      { type: 'edge', from: 'start', targets: ['main'] },
      { type: 'edge', from: 'main', targets: ['end'] },
    ],
    problems,
  });
  return publicGraph(compiled) as Graph<WorkflowShape<In<I>, V, A, R, E, P>>;
}
