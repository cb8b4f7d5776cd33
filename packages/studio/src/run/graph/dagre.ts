// The part of dagre that we use. Its own declarations import files without their extension, which Node's resolution does not find.
import * as dagre from '@dagrejs/dagre';

/** Where dagre puts a node: its middle. */
interface DagreNode {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

interface DagreGraph {
  setGraph(options: Readonly<Record<string, string | number>>): void;
  setNode(name: string, size: { readonly width: number; readonly height: number }): void;
  setEdge(from: string, to: string, label: object, name: string): void;
  node(name: string): DagreNode;
  edge(
    from: string,
    to: string,
    name: string,
  ): { readonly points?: readonly { readonly x: number; readonly y: number }[] };
}

interface Dagre {
  readonly graphlib: { readonly Graph: new (options: { readonly multigraph: boolean }) => DagreGraph };
  readonly layout: (graph: DagreGraph) => void;
}

const { graphlib, layout } = dagre as unknown as Dagre;

/** An empty graph that may have several edges between two nodes. */
export function newDagre(): DagreGraph {
  return new graphlib.Graph({ multigraph: true });
}

/** Places the nodes and edges. */
export function placeWithDagre(graph: DagreGraph): void {
  layout(graph);
}
