import { describe, expect, test } from 'vitest';
import { backEdges } from './back-edges.ts';
import { layOut } from './lay-out.ts';
import type { Drawing, GraphEdge, GraphStructure, PlacedNode } from './shape.ts';

function structure(
  names: readonly string[],
  edges: readonly (readonly [string, string])[],
  inner: Readonly<Record<string, GraphStructure>> = {},
): GraphStructure {
  return {
    name: 'g',
    version: 1,
    nodes: names.map((name) =>
      inner[name] === undefined ? { name, type: 'node' } : { name, type: 'graph', inner: inner[name] },
    ),
    edges: edges.map(([from, to]): GraphEdge => ({ from, to, type: 'edge' })),
    asks: [],
    receives: [],
  };
}

const payout = structure(
  ['reserve', 'bank', 'receipt'],
  [
    ['start', 'reserve'],
    ['reserve', 'bank'],
    ['bank', 'receipt'],
    ['receipt', 'end'],
  ],
);
const refunds = structure(
  ['plan', 'lookup', 'policy', 'fraud', 'decide', 'approve', 'pay', 'decline', 'notify'],
  [
    ['start', 'plan'],
    ['plan', 'lookup'],
    ['plan', 'policy'],
    ['plan', 'fraud'],
    ['lookup', 'decide'],
    ['policy', 'decide'],
    ['fraud', 'decide'],
    ['decide', 'plan'],
    ['decide', 'approve'],
    ['decide', 'decline'],
    ['approve', 'pay'],
    ['approve', 'decline'],
    ['pay', 'notify'],
    ['notify', 'end'],
    ['decline', 'end'],
  ],
  { pay: payout },
);

function nodeOf({ nodes }: Drawing, key: string): PlacedNode {
  const found = nodes.find((node) => node.key === key);
  if (found === undefined) throw new Error(`no ${key}`);
  return found;
}

function inside(outer: PlacedNode, inner: PlacedNode): boolean {
  return (
    Math.abs(outer.x - inner.x) + inner.width / 2 <= outer.width / 2 &&
    Math.abs(outer.y - inner.y) + inner.height / 2 <= outer.height / 2
  );
}

describe('backEdges()', () => {
  test('are those that lead to a node on the way', () => {
    expect([...backEdges(refunds)].map(({ from, to }) => `${from}>${to}`)).toEqual(['decide>plan']);
  });
});

describe('layOut()', () => {
  const drawing = layOut(refunds);

  test('the main path is a straight line, past a fork and a branch', () => {
    const line = ['start', 'plan', 'policy', 'decide', 'approve', 'pay', 'notify', 'end'];
    const places = line.map((key) => nodeOf(drawing, key).x);
    for (const x of places) expect(x).toBeCloseTo(places[0] as number, 0);
  });

  test('two ways that part evenly stay even', () => {
    const even = layOut(
      structure(
        ['a', 'left', 'right', 'b'],
        [
          ['start', 'a'],
          ['a', 'left'],
          ['a', 'right'],
          ['left', 'b'],
          ['right', 'b'],
          ['b', 'end'],
        ],
      ),
    );
    const [a, left, right] = ['a', 'left', 'right'].map((key) => nodeOf(even, key).x) as [number, number, number];
    expect(a - left).toBeCloseTo(right - a, 0);
  });

  test('goes from top to bottom, what runs together side by side', () => {
    const [plan, lookup, fraud, decide] = ['plan', 'lookup', 'fraud', 'decide'].map((key) => nodeOf(drawing, key)) as [
      PlacedNode,
      PlacedNode,
      PlacedNode,
      PlacedNode,
    ];
    expect(plan.y).toBeLessThan(lookup.y);
    expect(lookup.y).toBe(fraud.y);
    expect(lookup.x).not.toBe(fraud.x);
    expect(decide.y).toBeGreaterThan(fraud.y);
  });

  test('no two nodes overlap, and everything is inside the drawing', () => {
    const level = drawing.nodes.filter(({ depth }) => depth === 0);
    for (const [index, left] of level.entries()) {
      expect(left.x - left.width / 2).toBeGreaterThanOrEqual(0);
      expect(left.x + left.width / 2).toBeLessThanOrEqual(drawing.width);
      expect(left.y + left.height / 2).toBeLessThanOrEqual(drawing.height);
      for (const right of level.slice(index + 1)) {
        const apart =
          Math.abs(left.x - right.x) >= (left.width + right.width) / 2 ||
          Math.abs(left.y - right.y) >= (left.height + right.height) / 2;
        expect(apart, `${left.key} and ${right.key}`).toBe(true);
      }
    }
  });

  test('a subgraph is drawn in place, from left to right', () => {
    const pay = nodeOf(drawing, 'pay');
    const [reserve, bank, receipt] = ['pay/reserve', 'pay/bank', 'pay/receipt'].map((key) => nodeOf(drawing, key)) as [
      PlacedNode,
      PlacedNode,
      PlacedNode,
    ];
    for (const node of [reserve, bank, receipt]) expect(inside(pay, node)).toBe(true);
    expect(reserve.x).toBeLessThan(bank.x);
    expect(bank.x).toBeLessThan(receipt.x);
    expect(reserve.y).toBe(receipt.y);
    expect(drawing.edges.find(({ key }) => key === 'pay/reserve>bank')?.heading).toBe('right');
  });

  test('edges have right angles, and end at their node', () => {
    for (const { path, to, end, heading } of drawing.edges) {
      const points = [...path.replaceAll(/Q(\S+ \S+) /gu, 'L$1L').matchAll(/[ML](\S+) ([\d.-]+)/gu)].map(
        ([, x, y]) => [Number(x), Number(y)] as const,
      );
      for (const [index, [x, y]] of points.entries()) {
        const [beforeX, beforeY] = points[index - 1] ?? [x, y];
        expect(Math.min(Math.abs(x - beforeX), Math.abs(y - beforeY)), path).toBeLessThan(0.6);
      }
      const node = nodeOf(drawing, to);
      expect(heading === 'down' ? end.y : node.y - node.height / 2).toBeCloseTo(node.y - node.height / 2, 0);
    }
  });

  test('an edge never crosses a node that it does not belong to', () => {
    for (const { path, from, to, depth } of drawing.edges.filter((edge) => edge.depth === 0)) {
      const points = [...path.replaceAll(/Q(\S+ \S+) /gu, 'L$1L').matchAll(/[ML](\S+) ([\d.-]+)/gu)].map(
        ([, x, y]) => [Number(x), Number(y)] as const,
      );
      for (const node of drawing.nodes.filter((each) => each.depth === depth && each.key !== from && each.key !== to)) {
        for (const [index, [x, y]] of points.entries()) {
          const [beforeX, beforeY] = points[index - 1] ?? [x, y];
          const isBeside =
            Math.max(x, beforeX) <= node.x - node.width / 2 ||
            Math.min(x, beforeX) >= node.x + node.width / 2 ||
            Math.max(y, beforeY) <= node.y - node.height / 2 ||
            Math.min(y, beforeY) >= node.y + node.height / 2;
          expect(isBeside, `${from}>${to} through ${node.key}`).toBe(true);
        }
      }
    }
  });

  test('a node that follows itself, edges twice, nodes without edges', () => {
    const odd = layOut(
      structure(
        ['a', 'b'],
        [
          ['start', 'a'],
          ['a', 'a'],
          ['a', 'a'],
        ],
      ),
    );
    expect(odd.edges).toHaveLength(2);
    expect(odd.nodes.map(({ key }) => key)).toEqual(['start', 'a', 'b']);
  });

  test('draws 200 nodes', () => {
    const names = Array.from({ length: 200 }, (_, index) => `node ${index}`);
    const edges = names.flatMap((name, index): (readonly [string, string])[] => [
      [index === 0 ? 'start' : `node ${Math.floor((index - 1) / 2)}`, name],
      ...(index > 10 && index % 7 === 0 ? [[`node ${index - 9}`, name] as const] : []),
    ]);
    const large = layOut(structure(names, edges));
    expect(large.nodes).toHaveLength(201);
  });
});
