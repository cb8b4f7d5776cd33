import type { CompiledNode } from '../compile/compiled-graph.ts';
import type { GraphKind, Problem } from '../compile/problem.ts';
import type { ReadDefinition } from '../definition.ts';
import type { Link } from './link.ts';

/** A node that is not connected yet. */
export type DraftNode = Omit<CompiledNode, 'exits'>;

/** All that was declared so far, read but not yet seen as a whole. */
export interface Draft {
  readonly kind: GraphKind;
  /** Undefined where something else than a text was given. */
  readonly name: string | undefined;
  readonly definition: ReadDefinition;
  /** In order of declaration; a name may be there twice. */
  readonly nodes: readonly DraftNode[];
  readonly links: readonly Link[];
  readonly problems: readonly Problem[];
}
