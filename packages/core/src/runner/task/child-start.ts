import type { CompiledGraph } from '../../graph/compile/compiled-graph.ts';
import type { KeptAnswer } from '../fold/run-state.ts';

/** A child that is to be there before its parent waits for it; starting it again changes nothing. */
export interface ChildStart {
  readonly id: string;
  readonly graph: CompiledGraph;
  readonly input: unknown;
  readonly tags: Readonly<Record<string, string>> | undefined;
  /** The wait of the parent that the child's end ends. */
  readonly wakes: string;
  /** Answers that the parent was given before it had a child to ask, by the child's names of the questions. */
  readonly answers: ReadonlyMap<string, KeptAnswer>;
  /** The call is made for the first time, or again after a failure: a child that has failed is resumed. */
  readonly isRetry: boolean;
}

/** How a child ended. */
export type ChildEnd = { readonly output: unknown } | { readonly error: Error };
