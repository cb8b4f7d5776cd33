import type { brand } from '../channel/brand.ts';
import type { InputOf, StateOf } from '../channel/channels.ts';
import type { Asks, Receives } from './ask.ts';
import type { Declared } from './declared.ts';
import type { GraphStructure } from './structure.ts';

/**
 * The types of a graph or workflow, in one extensible type parameter.
 *
 * @example
 * ```ts
 * const outputOf = <S extends Shape>(run: Run<S>): Promise<S['output']> => run.result();
 * ```
 */
export interface Shape {
  readonly input: unknown;
  readonly state: object;
  readonly output: unknown;
  readonly asks: object;
  readonly receives: object;
  readonly emits: unknown;
  readonly nodes: string;
  readonly deps: object;
}

/**
 * The types of a graph; N are its nodes, X the questions of inner graphs.
 *
 * @example
 * ```ts
 * type RefundState = ShapeOf<typeof refunds>['state']; // the shape of a graph is a GraphShape
 * ```
 */
export interface GraphShape<D extends Declared, N extends string, X> extends Shape {
  readonly input: InputOf<D['state']>;
  readonly state: StateOf<D['state']>;
  readonly output: D['output'];
  readonly asks: D['asks'] & X;
  readonly receives: D['receives'];
  readonly emits: D['emits'];
  readonly nodes: N;
  readonly deps: D['deps'] & object;
}

/**
 * The types of a workflow.
 *
 * @example
 * ```ts
 * const double = workflow('double', { input: z.number() }, async (n) => 2 * n);
 * type Doubled = ShapeOf<typeof double>['output']; // the shape of a workflow is a WorkflowShape
 * ```
 */
export interface WorkflowShape<I, O, A, R, E, P = object> extends Shape {
  readonly input: I;
  readonly state: Readonly<Record<never, never>>;
  readonly output: O;
  readonly asks: A & object;
  readonly receives: R & object;
  readonly emits: E;
  readonly nodes: 'main';
  readonly deps: P & object;
}

/**
 * The types of a run whose code is not available.
 *
 * @example
 * ```ts
 * const print = async (run: Run<AnyShape>): Promise<void> => console.log(await run.state());
 * await print(await engine.get('ord-81'));
 * ```
 */
export interface AnyShape extends Shape {
  readonly state: Readonly<Record<string, unknown>>;
  readonly asks: Asks;
  readonly receives: Receives;
}

/**
 * A graph of any type.
 *
 * @example
 * ```ts
 * const graphs: readonly AnyGraph[] = [refunds];
 * const worker = await openEngine('sqlite:./runs.db', { graphs });
 * ```
 */
export interface AnyGraph {
  readonly name: string;
  readonly version: number;
  /** A hash of the structure: names, nodes and edges, but not their code. */
  readonly fingerprint: string;
  /** The graph as a Mermaid flowchart. */
  mermaid(): string;
  /** Its nodes and edges as plain data. */
  structure(): GraphStructure;
  /**
   * The JSON Schema of its input, for a form or a command line. For a graph, one property per channel whose schema's
   * library can produce it; for a workflow, undefined if its library cannot.
   */
  inputSchema(): unknown;
}

/**
 * A compiled graph or workflow, ready to start.
 *
 * @example
 * ```ts
 * const startTwice = async <S extends Shape>(graph: Graph<S>, input: S['input']): Promise<void> => {
 *   await Promise.all([engine.start(graph, input), engine.start(graph, input)]);
 * };
 * ```
 */
export interface Graph<S extends Shape> extends AnyGraph {
  readonly [brand]: S;
  /**
   * The same graph with some of its dependencies replaced, for tests. Inner graphs and children keep their own.
   *
   * ```ts
   * await engine.start(chat.with({ llm: async () => 'Hello' }), { question: 'Hi' }).result();
   * ```
   *
   * @throws HOLDFAST_INVALID_OPTION
   */
  with(deps: Partial<S['deps']>): Graph<S>;
}

/** Stands for a builder where a graph is expected: only its input can be told, and it says what to do. */
export interface UncompiledShape extends Shape {
  readonly input: 'Call .compile() on the graph first.';
}

/** A graph that was not compiled: accepted in types, so that TypeScript prints the sentence above and not all of the builder. */
export interface Uncompiled {
  compile(): AnyGraph;
}

/**
 * The types of a graph: `Run<ShapeOf<typeof refunds>>`.
 *
 * @example
 * ```ts
 * type Nodes = ShapeOf<typeof refunds>['nodes']; // 'check' | 'pay'
 * ```
 */
export type ShapeOf<G> = G extends Graph<infer S> ? S : never;
