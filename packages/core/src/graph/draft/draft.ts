import type { CompiledNode } from '../compile/compiled-graph.ts';
import type { GraphKind, Problem } from '../compile/problem.ts';
import type { ReadDefinition } from '../graph-definition.ts';
import type { Link } from './link.ts';

/** A node that is not connected yet. */
export type DraftNode = Omit<CompiledNode, 'exits'>;

/** Everything declared so far, parsed but not yet connected. */
export interface Draft {
  readonly kind: GraphKind;
  /** Undefined if it is not a string. */
  readonly name: string | undefined;
  readonly definition: ReadDefinition;
  /** In declaration order. Names may repeat. */
  readonly nodes: readonly DraftNode[];
  readonly links: readonly Link[];
  readonly problems: readonly Problem[];
}
