import { channel, graph } from 'holdfast';
import { describe, expect, test } from 'vitest';
import { flowOf } from './mermaid-flow.ts';

describe('flowOf()', () => {
  test('reads edges, routes, joins and names with special characters', () => {
    const drawn = graph('g', { state: { n: channel<number>() } })
      .node('$end', () => ({}))
      .node('b__c', () => ({}))
      .node('join-me', () => ({}))
      .edge('start', ['$end', 'b__c'])
      .edge(['$end', 'b__c'], 'join-me')
      .route('join-me', ['b__c', 'end'], () => 'end')
      .compile();
    expect(flowOf(drawn.mermaid())).toEqual([
      { name: 'start', ways: [{ to: '$end' }, { to: 'b__c' }] },
      {
        name: 'join-me',
        ways: [
          { to: 'b__c', by: 'route' },
          { to: 'end', by: 'route' },
        ],
      },
      { name: '$end', ways: [{ to: 'join' }] },
      { name: 'b__c', ways: [{ to: 'join' }] },
      { name: 'join', ways: [{ to: 'join-me' }] },
    ]);
  });
});
