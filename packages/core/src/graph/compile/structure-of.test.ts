import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { goto } from '../goto.ts';
import { graph } from '../graph.ts';
import { workflow } from '../workflow.ts';

const inner = workflow('inner', { input: z.string(), asks: { ok: z.boolean() } }, async () => 'done');

describe('structure()', () => {
  test('has the nodes, edges, routes, gotos and joins as they were declared', () => {
    const built = graph('all', {
      state: { items: z.array(z.string()) },
      asks: { approve: z.boolean() },
      receives: { paid: z.string() },
      version: 3,
    })
      .node('a', () => ({}))
      .node('b', () => goto('c'), { to: ['c'] })
      .each(
        'many',
        (state) => state.items,
        () => ({}),
      )
      .graph('child', inner, { in: () => 'x', out: () => ({}) })
      .node('c', () => ({}))
      .edge('start', 'a')
      .edge('start', 'b')
      .edge('a', 'many')
      .edge(['a', 'many'], 'child')
      .route('child', ['c', 'end'], () => 'end')
      .edge('c', 'end')
      .compile();
    expect(built.structure()).toEqual({
      name: 'all',
      version: 3,
      nodes: [
        { name: 'a', type: 'node' },
        { name: 'b', type: 'node' },
        { name: 'many', type: 'each' },
        { name: 'child', type: 'graph', inner: inner.structure() },
        { name: 'c', type: 'node' },
      ],
      edges: expect.arrayContaining([
        { from: 'start', to: 'a', type: 'edge' },
        { from: 'b', to: 'c', type: 'goto' },
        { from: 'child', to: 'end', type: 'route' },
        { from: 'a', to: 'child', type: 'join', join: 'a+many>child' },
        { from: 'many', to: 'child', type: 'join', join: 'a+many>child' },
      ]),
      asks: ['approve'],
      receives: ['paid'],
    });
  });

  test('of a workflow is its one node', () => {
    expect(inner.structure()).toMatchObject({
      nodes: [{ name: 'main', type: 'workflow' }],
      edges: [
        { from: 'start', to: 'main', type: 'edge' },
        { from: 'main', to: 'end', type: 'edge' },
      ],
      asks: ['ok'],
    });
  });
});
