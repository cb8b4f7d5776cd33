import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import type { KeptAnswer } from '../fold/run-state.ts';

/** A run to create for a call of a body. */
export interface DetachedStart {
  readonly id: string;
  readonly graph: CompiledGraph;
  readonly input: unknown;
  readonly tags: Readonly<Record<string, string>> | undefined;
}

/** A child to create before its parent waits for it. Starting it again changes nothing. */
export interface ChildStart extends DetachedStart {
  /** The parent's wait that ends when the child ends. */
  readonly wakes: string;
  /** Answers that the parent received before the child existed, by the child's question names. */
  readonly answers: ReadonlyMap<string, KeptAnswer>;
  /** True for the first call, or a retry after a failure: a failed child is resumed. */
  readonly isRetry: boolean;
}

/** How a child ended. */
export type ChildEnd = { readonly output: unknown } | { readonly error: Error };
