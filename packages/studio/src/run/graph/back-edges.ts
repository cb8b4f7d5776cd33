import type { GraphEdge, GraphStructure } from './shape.ts';

/** Edges that lead back to a node that the way from the start has passed. They are routed around the drawing. */
export function backEdges({ edges }: Pick<GraphStructure, 'edges'>): ReadonlySet<GraphEdge> {
  const from = new Map<string, GraphEdge[]>();
  for (const edge of edges) from.set(edge.from, [...(from.get(edge.from) ?? []), edge]);
  const back = new Set<GraphEdge>();
  const done = new Set<string>();
  const open = new Set<string>();
  // A stack of its own: a chain of 10,000 nodes is deeper than the browser's.
  const visit = (start: string): void => {
    const stack = [{ node: start, next: 0 }];
    open.add(start);
    for (let top = stack.at(-1); top !== undefined; top = stack.at(-1)) {
      const edge = from.get(top.node)?.[top.next];
      top.next += 1;
      if (edge === undefined) {
        stack.pop();
        open.delete(top.node);
        done.add(top.node);
      } else if (open.has(edge.to)) back.add(edge);
      else if (!done.has(edge.to)) {
        open.add(edge.to);
        stack.push({ node: edge.to, next: 0 });
      }
    }
  };
  visit('start');
  for (const node of from.keys()) if (!done.has(node)) visit(node);
  return back;
}
