import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { graph } from '../graph.ts';
import { workflow } from '../workflow.ts';

const fn = (): void => {};

describe('mermaid()', () => {
  test('draws nodes by their kind, and every way between them', () => {
    const inner = workflow('look-up', { input: z.string() }, async () => 1);
    const drawn = graph('g', { state: {} })
      .node('a', fn, { to: ['c', 'end'] })
      .each('b', () => [1], fn)
      .graph('c', inner, { in: () => '', out: () => ({}) })
      .node('d', fn)
      .edge('start', ['a', 'b'])
      .edge(['a', 'b'], ['c', 'd'])
      .route('c', ['d', 'end'], () => 'd')
      .route('d', ['a'], () => 'a')
      .route('d', ['b', 'end'], () => 'b')
      .edge('b', 'end')
      .compile();
    expect(drawn.mermaid()).toBe(
      [
        'flowchart TD',
        '  begin(["start"])',
        '  n0["a"]',
        '  n1{{"b"}}',
        '  n2[["c: look-up"]]',
        '  n3["d"]',
        '  j0(("join"))',
        '  finish(["end"])',
        '  begin --> n0',
        '  begin --> n1',
        '  n0 -.->|goto| n2',
        '  n0 -.->|goto| finish',
        '  n1 --> finish',
        '  n2 -.->|route| n3',
        '  n2 -.->|route| finish',
        '  n3 -.->|route 1| n0',
        '  n3 -.->|route 2| n1',
        '  n3 -.->|route 2| finish',
        '  n0 --> j0',
        '  n1 --> j0',
        '  j0 --> n2',
        '  j0 --> n3',
      ].join('\n'),
    );
  });

  test('draws no end that nothing leads to', () => {
    const drawn = graph('g', { state: {} }).node('a', fn).edge('start', 'a').edge('a', 'a').compile();
    expect(drawn.mermaid()).toBe(
      ['flowchart TD', '  begin(["start"])', '  n0["a"]', '  begin --> n0', '  n0 --> n0'].join('\n'),
    );
  });

  test('draws a workflow', () => {
    expect(workflow('w', { input: z.string() }, async () => 1).mermaid()).toBe(
      'flowchart TD\n  begin(["start"])\n  n0["main"]\n  finish(["end"])\n  begin --> n0\n  n0 --> finish',
    );
  });

  test('keeps names from meaning something to Mermaid', () => {
    const drawn = graph('g', { state: {} })
      .node('class', fn)
      .node('$$x$$', fn)
      .node('a_b__c___', fn)
      .edge('start', ['class', '$$x$$', 'a_b__c___'])
      .edge(['class', '$$x$$', 'a_b__c___'], 'end')
      .compile();
    expect(drawn.mermaid().split('\n').slice(2, 5)).toEqual([
      '  n0["class"]',
      '  n1["#36;#36;x#36;#36;"]',
      '  n2["a_b#95;#95;c#95;#95;#95;"]',
    ]);
  });
});
