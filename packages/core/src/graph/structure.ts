/**
 * A node as it was declared.
 *
 * @example
 * ```ts
 * const labels = refunds.structure().nodes.map(({ name, type }: GraphNode) => `${name} (${type})`);
 * ```
 */
export interface GraphNode {
  readonly name: string;
  readonly type: 'node' | 'each' | 'graph' | 'workflow';
  /** For a `.graph` node, the structure of the inner graph. */
  readonly inner?: GraphStructure;
}

/**
 * A way from one node to another. `start` and `end` stand for the ends of the graph.
 *
 * @example
 * ```ts
 * const describe = ({ from, to, type }: GraphEdge): string => `${from} → ${to} (${type})`;
 * console.log(refunds.structure().edges.map(describe));
 * ```
 */
export interface GraphEdge {
  readonly from: string;
  readonly to: string;
  /** 'route' and 'goto': taken only if the code chooses it. 'join': taken once every source of the join has arrived. */
  readonly type: 'edge' | 'route' | 'goto' | 'join';
  /** Which join, if the edge belongs to one: `a+b>c`. */
  readonly join?: string;
}

/**
 * What a graph consists of, as plain data: for drawings and forms.
 *
 * @example
 * ```ts
 * const { nodes, edges, asks }: GraphStructure = refunds.structure();
 * ```
 */
export interface GraphStructure {
  readonly name: string;
  readonly version: number;
  readonly nodes: readonly GraphNode[];
  readonly edges: readonly GraphEdge[];
  /** The names of its questions, those of inner graphs left out. */
  readonly asks: readonly string[];
  readonly receives: readonly string[];
}
