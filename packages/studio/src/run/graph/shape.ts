import type { GraphJson } from '@holdfast/server/client';

/** What a graph consists of. */
export type GraphStructure = GraphJson['structure'];

/** A node as it was declared. */
export type GraphNode = GraphStructure['nodes'][number];

/** A way from one node to another. */
export type GraphEdge = GraphStructure['edges'][number];

/** A point of the drawing. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** A node where it is drawn; `x` and `y` are its middle. */
export interface PlacedNode {
  /** Unique in the drawing: inner nodes are `pay/bank`. */
  readonly key: string;
  readonly name: string;
  readonly kind: 'node' | 'each' | 'graph' | 'workflow' | 'start' | 'end';
  /** The structure inside, for a subgraph. */
  readonly graph: string | undefined;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** How many subgraphs it is in. */
  readonly depth: number;
}

/** An edge with its way. */
export interface PlacedEdge {
  readonly key: string;
  /** The keys of its nodes. */
  readonly from: string;
  readonly to: string;
  readonly type: 'edge' | 'route' | 'goto' | 'join';
  readonly path: string;
  /** Where its arrow ends, and in which direction it points. */
  readonly end: Point;
  readonly heading: 'down' | 'right' | 'left' | 'up';
  readonly depth: number;
}

/** A drawing of a graph. */
export interface Drawing {
  readonly width: number;
  readonly height: number;
  readonly nodes: readonly PlacedNode[];
  readonly edges: readonly PlacedEdge[];
}

/** The sizes of what is drawn. */
export const nodeHeight = 36;
export const innerHeight = 30;
export const terminalSize = 17;
const leastWidth = 140;
const leastInnerWidth = 124;
const mostWidth = 240;
/** The icon, the duration at the right and what is around them. */
const besideName = 92;
const perCharacter = 7.1;

/** How wide a node is: its name has to fit, unless it is very long. */
export function widthOf(name: string, depth: number): number {
  const least = depth === 0 ? leastWidth : leastInnerWidth;
  return Math.round(Math.min(mostWidth, Math.max(least, name.length * perCharacter + besideName)) / 2) * 2;
}

/** How many nodes a structure has, inner ones included. */
export function countNodes({ nodes }: GraphStructure): number {
  return nodes.reduce((sum, { inner }) => sum + 1 + (inner === undefined ? 0 : countNodes(inner)), 0);
}
