// Where the nodes and edges of a graph are drawn. Pure: it runs in a worker for large graphs.

import { backEdges } from './back-edges.ts';
import { newDagre, placeWithDagre } from './dagre.ts';
import { roundedPath } from './orthogonal.ts';
import { type Box, Gaps, rankAt, ranksOf } from './ranks.ts';
import type { GraphEdge, GraphNode, GraphStructure } from './shape.ts';
import {
  type Drawing,
  innerHeight,
  nodeHeight,
  type PlacedEdge,
  type PlacedNode,
  type Point,
  terminalSize,
  widthOf,
} from './shape.ts';
import { inDeclaredOrder, type Placed, straightened } from './tidy.ts';

interface Sized {
  readonly node: GraphNode | undefined;
  readonly width: number;
  readonly height: number;
  readonly inner: Drawing | undefined;
}

/** What is around the nodes of a subgraph: its title is above them. */
const title = 27;
const padding = 12;
const margin = 16;
/** An inner graph with more nodes would be too wide beside its siblings. */
const mostInARow = 4;
/** Ranking a large graph well takes longer than looking at it. */
const largeGraph = 120;

/** Draws a graph from top to bottom; subgraphs in place, from left to right. */
export function layOut(structure: GraphStructure): Drawing {
  const level = layOutLevel(structure, { depth: 0, prefix: '', isSideways: false });
  return shifted(level, margin, margin, { width: level.width + 2 * margin, height: level.height + 2 * margin });
}

interface Level {
  readonly depth: number;
  readonly prefix: string;
  /** Laid out from left to right: as from top to bottom, with x and y exchanged. */
  readonly isSideways: boolean;
}

function layOutLevel(structure: GraphStructure, level: Level): Drawing {
  const sizes = sizesOf(structure, level);
  const back = backEdges(structure);
  const edges = distinct(structure.edges).filter(({ from, to }) => sizes.has(from) && sizes.has(to));
  const forward = edges.filter((edge) => !back.has(edge) && edge.from !== edge.to);
  const { boxes, ways } = withDagre(sizes, forward, level);
  const routed = routes(boxes, forward, ways);
  const looped = edges
    .filter((edge) => back.has(edge) || edge.from === edge.to)
    .map((edge, index) => wayBack(boxes, edge, index));
  const paths = [...routed, ...looped];
  return drawingOf({
    level,
    sizes,
    boxes,
    edges: [...forward, ...edges.filter((edge) => back.has(edge) || edge.from === edge.to)],
    paths,
  });
}

/** Edges that only differ in their type are drawn once. */
function distinct(edges: readonly GraphEdge[]): readonly GraphEdge[] {
  return [...new Map(edges.map((edge) => [JSON.stringify([edge.from, edge.to]), edge])).values()];
}

function sizesOf({ nodes, edges }: GraphStructure, { depth, prefix }: Level): ReadonlyMap<string, Sized> {
  const sizes = new Map<string, Sized>();
  const ends = new Set(edges.flatMap(({ from, to }) => [from, to]));
  for (const name of ['start', 'end'] as const) {
    // Inside a subgraph its own border stands for both.
    if (depth === 0 && ends.has(name))
      sizes.set(name, { node: undefined, width: terminalSize, height: terminalSize, inner: undefined });
  }
  for (const node of nodes) {
    const { inner: structure } = node;
    if (structure === undefined) {
      sizes.set(node.name, {
        node,
        width: widthOf(node.name, depth),
        height: depth === 0 ? nodeHeight : innerHeight,
        inner: undefined,
      });
      continue;
    }
    const isSideways = structure.nodes.length <= mostInARow;
    const inner = layOutLevel(structure, { depth: depth + 1, prefix: `${prefix}${node.name}/`, isSideways });
    const width = Math.max(inner.width + 2 * padding, widthOf(`${node.name} graph ${structure.name}`, depth) + 60);
    sizes.set(node.name, { node, width, height: inner.height + title + padding, inner });
  }
  return sizes;
}

function withDagre(sizes: ReadonlyMap<string, Sized>, edges: readonly GraphEdge[], { isSideways }: Level): Placed {
  const graph = newDagre();
  const ranker = sizes.size > largeGraph ? 'longest-path' : 'network-simplex';
  graph.setGraph({ rankdir: 'TB', nodesep: isSideways ? 14 : 30, ranksep: isSideways ? 22 : 28, edgesep: 18, ranker });
  for (const [name, { width, height }] of sizes)
    graph.setNode(name, isSideways ? { width: height, height: width } : { width, height });
  for (const [index, { from, to }] of edges.entries()) graph.setEdge(from, to, {}, String(index));
  placeWithDagre(graph);
  const boxes = new Map([...sizes.keys()].map((name) => [name, graph.node(name)]));
  const ways = new Map(edges.map((edge, index) => [edge, graph.edge(edge.from, edge.to, String(index)).points ?? []]));
  return straightened(inDeclaredOrder({ boxes, ways }), edges);
}

interface Route {
  readonly points: readonly Point[];
  readonly heading: PlacedEdge['heading'];
}

/** Goes from the bottom of a node down to the top of another, past the nodes of the ranks between them. */
function routes(boxes: ReadonlyMap<string, Box>, edges: readonly GraphEdge[], ways: Placed['ways']): readonly Route[] {
  const ranks = ranksOf(boxes.values());
  const gaps = new Gaps(ranks);
  const planned = edges.map((edge) => {
    const from = boxes.get(edge.from) as Box;
    const to = boxes.get(edge.to) as Box;
    const start = { x: from.x, y: from.y + from.height / 2 };
    const end = { x: to.x, y: to.y - to.height / 2 };
    const past = (ways.get(edge) ?? []).slice(1, -1).filter(({ y }) => {
      const rank = rankAt(ranks, y);
      return rank !== -1 && y > start.y && y < end.y;
    });
    const stops = [start, ...past, end];
    const crossings = stops.slice(1).map((stop, index) => {
      const before = stops[index] as Point;
      const isStraight = Math.abs(before.x - stop.x) < 0.5;
      if (isStraight) return undefined;
      const gap = Math.max(1, rankAt(ranks, stop.y + 1));
      return gaps.add({ gap, from: before, to: stop, source: edge.from, target: edge.to });
    });
    return { stops, crossings };
  });
  return planned.map(({ stops, crossings }) => {
    const points: Point[] = [stops[0] as Point];
    for (const [index, stop] of stops.slice(1).entries()) {
      const crossing = crossings[index];
      if (crossing !== undefined) {
        const y = gaps.height(crossing);
        points.push({ x: crossing.from.x, y }, { x: crossing.to.x, y });
      }
      points.push(stop);
    }
    return { points, heading: 'down' };
  });
}

const loopRoom = 22;
const laneGap = 14;

/** Goes back up left of everything that is in between; a node that follows itself has a loop at its right. */
function wayBack(boxes: ReadonlyMap<string, Box>, { from, to }: GraphEdge, index: number): Route {
  const source = boxes.get(from) as Box;
  const target = boxes.get(to) as Box;
  if (from === to) {
    const x = source.x + source.width / 2;
    const y = source.y;
    return {
      points: [
        { x, y: y + 8 },
        { x: x + 18, y: y + 8 },
        { x: x + 18, y: y - 8 },
        { x, y: y - 8 },
      ],
      heading: 'left',
    };
  }
  const top = Math.min(source.y, target.y);
  const bottom = Math.max(source.y, target.y);
  const beside = [...boxes.values()].filter(({ y, height }) => y + height / 2 >= top && y - height / 2 <= bottom);
  const lane = Math.min(...beside.map(({ x, width }) => x - width / 2)) - loopRoom - index * laneGap;
  const leave = { x: source.x - source.width / 2, y: source.y };
  const enter = { x: target.x - target.width / 2, y: target.y };
  return { points: [leave, { x: lane, y: leave.y }, { x: lane, y: enter.y }, enter], heading: 'right' };
}

interface Parts {
  readonly level: Level;
  readonly sizes: ReadonlyMap<string, Sized>;
  readonly boxes: ReadonlyMap<string, Box>;
  readonly edges: readonly GraphEdge[];
  readonly paths: readonly Route[];
}

const turned = { down: 'right', right: 'down', left: 'up', up: 'left' } as const;

function drawingOf({ level, sizes, boxes, edges, paths }: Parts): Drawing {
  const { depth, prefix, isSideways } = level;
  const turn = ({ x, y }: Point): Point => (isSideways ? { x: y, y: x } : { x, y });
  const nodes: PlacedNode[] = [];
  const inside: Drawing[] = [];
  for (const [name, { node, width, height, inner }] of sizes) {
    const { x, y } = turn(boxes.get(name) as Box);
    nodes.push({
      key: prefix + name,
      name,
      kind: kindOf(name, node),
      graph: node?.inner?.name,
      x,
      y,
      width,
      height,
      depth,
    });
    if (inner !== undefined) inside.push(shifted(inner, x - inner.width / 2, y - height / 2 + title, inner));
  }
  const placed = edges.map((edge, index): Waying => {
    const { points, heading } = paths[index] as Route;
    const way = points.map(turn);
    const key = `${prefix}${edge.from}>${edge.to}`;
    const arrow = isSideways ? turned[heading] : heading;
    return { key, from: prefix + edge.from, to: prefix + edge.to, type: edge.type, way, heading: arrow, depth };
  });
  return normalized(nodes, placed, inside);
}

function kindOf(name: string, node: GraphNode | undefined): PlacedNode['kind'] {
  return node === undefined ? (name as 'start' | 'end') : node.type;
}

/** An edge before its path is written. */
type Waying = Omit<PlacedEdge, 'path' | 'end'> & { readonly way: readonly Point[] };

/** Moves everything so that its top left corner is at the origin, and writes the paths. */
function normalized(nodes: readonly PlacedNode[], edges: readonly Waying[], inside: readonly Drawing[]): Drawing {
  const xs = [
    ...nodes.flatMap(({ x, width }) => [x - width / 2, x + width / 2]),
    ...edges.flatMap(({ way }) => way.map(({ x }) => x)),
  ];
  const ys = [
    ...nodes.flatMap(({ y, height }) => [y - height / 2, y + height / 2]),
    ...edges.flatMap(({ way }) => way.map(({ y }) => y)),
  ];
  const left = xs.length === 0 ? 0 : Math.min(...xs);
  const top = ys.length === 0 ? 0 : Math.min(...ys);
  const moved = (drawing: Drawing): Drawing => shifted(drawing, -left, -top, drawing);
  const written = edges.map(({ way, ...edge }): PlacedEdge => {
    const points = way.map(({ x, y }) => ({ x: x - left, y: y - top }));
    return { ...edge, path: roundedPath(points), end: points.at(-1) as Point };
  });
  const inner = inside.map(moved);
  return {
    width: xs.length === 0 ? 0 : Math.max(...xs) - left,
    height: ys.length === 0 ? 0 : Math.max(...ys) - top,
    nodes: [
      ...nodes.map((node) => ({ ...node, x: node.x - left, y: node.y - top })),
      ...inner.flatMap((each) => each.nodes),
    ],
    edges: [...written, ...inner.flatMap((each) => each.edges)],
  };
}

function shifted(
  { nodes, edges }: Drawing,
  dx: number,
  dy: number,
  { width, height }: Pick<Drawing, 'width' | 'height'>,
): Drawing {
  return {
    width,
    height,
    nodes: nodes.map((node) => ({ ...node, x: node.x + dx, y: node.y + dy })),
    edges: edges.map((edge) => ({
      ...edge,
      path: shiftedPath(edge.path, dx, dy),
      end: { x: edge.end.x + dx, y: edge.end.y + dy },
    })),
  };
}

/** A path of `M`, `L` and `Q` with absolute pairs, moved. */
function shiftedPath(path: string, dx: number, dy: number): string {
  return path.replace(
    /(-?[\d.]+) (-?[\d.]+)/gu,
    (_, x: string, y: string) => `${Math.round((Number(x) + dx) * 10) / 10} ${Math.round((Number(y) + dy) * 10) / 10}`,
  );
}
