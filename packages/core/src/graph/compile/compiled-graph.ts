import type { StandardSchemaV1 } from '@standard-schema/spec';
import type { ChannelSet } from '../../channel/channel-set.ts';
import type { HoldfastError } from '../../errors/holdfast-error.ts';

/** A graph or workflow as the runner sees it: valid, with all names resolved. */
export interface CompiledGraph {
  readonly name: string;
  readonly version: number;
  readonly fingerprint: string;
  readonly channels: ChannelSet;
  readonly asks: ReadonlyMap<string, CompiledAsk>;
  readonly receives: ReadonlyMap<string, StandardSchemaV1>;
  /** Undefined: emits are not journalled. */
  readonly emits: StandardSchemaV1 | undefined;
  /** The input schema of a workflow. Undefined for a graph, whose input is an update of its channels. */
  readonly input: StandardSchemaV1 | undefined;
  /** What its bodies work with. */
  readonly deps: object;
  /** What a graph results in, as a function of its state. Undefined: the state. */
  readonly output: ((state: object) => unknown) | undefined;
  /** The schema of what a workflow returns. */
  readonly outputSchema: StandardSchemaV1 | undefined;
  /** In declaration order, which is also the order in which their writes are merged. */
  readonly nodes: ReadonlyMap<string, CompiledNode>;
  /** The targets of 'start'. */
  readonly entry: Exits;
  /** In declaration order. Journals refer to them by key. */
  readonly joins: readonly Join[];
  readonly hasCycle: boolean;
  /** The limit of a run that was started without one. Undefined: the default. */
  readonly maxSupersteps: number | undefined;
  /** By the version they migrate from. */
  readonly migrations: ReadonlyMap<number, CompiledMigration>;
}

/** A question: the schema of what is shown, and of the answer. */
export interface CompiledAsk {
  readonly show: StandardSchemaV1;
  readonly answer: StandardSchemaV1;
}

/** A node and its targets. */
export interface CompiledNode {
  readonly name: string;
  readonly work: NodeWork;
  readonly policy: CompiledPolicy;
  /** Its body is an effect that must not happen twice. */
  readonly isOnce: boolean;
  /** Returns the node's result after the last attempt failed. `item` is only defined for an `each`. */
  readonly catch: ((error: HoldfastError, state: object, item: unknown) => unknown) | undefined;
  /** The allowed targets of `goto`. */
  readonly to: ReadonlySet<string>;
  readonly exits: Exits;
}

/** The body of a node. The public types of the contexts are in `context.ts`. */
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

/** How often to try, and how long to wait in between. */
export interface CompiledRetry {
  /** The total number of attempts, including the first. */
  readonly attempts: number;
  readonly backoffMs: number;
  /** The longest wait. Undefined: the default. */
  readonly maxBackoffMs: number | undefined;
  readonly factor: number;
  /** False: permanent. True: retry. A number: retry after exactly that many milliseconds. */
  readonly on: (error: unknown) => boolean | number;
}

/** Where a node leads unless it returns a `goto`. Targets are nodes or 'end'. */
export interface Exits {
  readonly edges: readonly string[];
  readonly routes: readonly Route[];
  /** The joins that have it as a source. */
  readonly joins: readonly Join[];
}

/** A choice made on the merged state. */
export interface Route {
  readonly targets: ReadonlySet<string>;
  readonly pick: (state: object) => unknown;
}

/** Waits for its sources, then continues with its targets. */
export interface Join {
  /** Stable as long as its sources and targets do not change: `a+b>c`. */
  readonly key: string;
  readonly sources: readonly string[];
  readonly targets: readonly string[];
  /** For each source, the nodes that can still reach it (including itself) without passing through a target. */
  readonly leadingTo: ReadonlyMap<string, ReadonlySet<string>>;
}

/** From one version to the next. */
export interface CompiledMigration {
  readonly state: (old: Readonly<Record<string, unknown>>) => Readonly<Record<string, unknown>>;
  /** New names of nodes. Nodes that are not listed keep their names. */
  readonly nodes: ReadonlyMap<string, string>;
  readonly asks: ReadonlyMap<string, string>;
  /** New names of calls in bodies. Null: the call is gone. */
  readonly steps: ReadonlyMap<string, string | null>;
}
