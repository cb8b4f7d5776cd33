import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ChannelSet } from '../../channel/channel-set.ts';
import type { HoldfastError } from '../../errors/holdfast-error.ts';

/** What the runner knows of a graph or workflow: plain data and functions, with names resolved and problems ruled out. */
export interface CompiledGraph {
  readonly name: string;
  readonly version: number;
  readonly fingerprint: string;
  readonly channels: ChannelSet;
  readonly asks: ReadonlyMap<string, CompiledAsk>;
  readonly receives: ReadonlyMap<string, StandardSchemaV1>;
  /** Undefined: what is emitted is not journalled. */
  readonly emits: StandardSchemaV1 | undefined;
  /** A workflow's; undefined for a graph, whose input is an update of its channels. */
  readonly input: StandardSchemaV1 | undefined;
  /** In order of declaration, which is the order in which their writes are merged. */
  readonly nodes: ReadonlyMap<string, CompiledNode>;
  /** Where 'start' leads. */
  readonly entry: Exits;
  /** In order of declaration; journals name them by their key. */
  readonly joins: readonly Join[];
  readonly hasCycle: boolean;
  /** By the version that they start from. */
  readonly migrations: ReadonlyMap<number, CompiledMigration>;
}

/** A question: what is shown, and what an answer has to be. */
export interface CompiledAsk {
  readonly show: StandardSchemaV1;
  readonly answer: StandardSchemaV1;
}

/** A node and where it leads. */
export interface CompiledNode {
  readonly name: string;
  readonly work: NodeWork;
  readonly policy: CompiledPolicy;
  /** What stands for the node's result when the last try has failed; `item` is undefined but for an `each`. */
  readonly catch: ((error: HoldfastError, state: object, item: unknown) => unknown) | undefined;
  /** Where `goto` may lead. */
  readonly to: ReadonlySet<string>;
  readonly exits: Exits;
}

/** What a node does. Contexts are the runner's; their public types are in `context.ts`. */
export type NodeWork =
  | { readonly type: 'node'; readonly run: (context: object) => unknown }
  | {
      readonly type: 'each';
      readonly over: (state: object) => unknown;
      readonly run: (item: unknown, context: object) => unknown;
      readonly concurrency: number;
    }
  | {
      readonly type: 'graph';
      readonly inner: CompiledGraph;
      readonly in: (state: object) => unknown;
      readonly out: (output: unknown) => unknown;
    }
  | { readonly type: 'workflow'; readonly run: (input: unknown, context: object) => unknown };

/** Retries and timeouts of a node or step, in milliseconds. */
export interface CompiledPolicy {
  readonly retry: CompiledRetry | undefined;
  readonly timeoutMs: number | undefined;
}

/** How often something is tried, and how long is waited in between. */
export interface CompiledRetry {
  /** Tries in all, the first one included. */
  readonly attempts: number;
  readonly backoffMs: number;
  readonly factor: number;
  /** False: permanent. True: try again. A number: try again after exactly so many milliseconds. */
  readonly on: (error: unknown) => boolean | number;
}

/** Where a node leads unless it says `goto`. Targets are nodes or 'end'. */
export interface Exits {
  readonly edges: readonly string[];
  readonly routes: readonly Route[];
  /** The joins that it is a source of. */
  readonly joins: readonly Join[];
}

/** A choice made on the merged state. */
export interface Route {
  readonly targets: ReadonlySet<string>;
  readonly pick: (state: object) => unknown;
}

/** Waits for its sources, then leads on. */
export interface Join {
  /** Stable as long as its sources and targets are: `a+b>c`. */
  readonly key: string;
  readonly sources: readonly string[];
  readonly targets: readonly string[];
  /** For each source, the nodes that can still lead to it (itself included) without passing through a target. */
  readonly leadingTo: ReadonlyMap<string, ReadonlySet<string>>;
}

/** From one version to the next. */
export interface CompiledMigration {
  readonly state: (old: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** New names of nodes; those left out keep theirs. */
  readonly nodes: ReadonlyMap<string, string>;
  readonly asks: ReadonlyMap<string, string>;
}
