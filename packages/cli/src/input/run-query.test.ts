import { describe, expect, test } from 'vitest';
import { parseRunQuery, parseTags } from './run-query.ts';

describe('parseRunQuery()', () => {
  test('reads every condition, apart or in one text', () => {
    const query = {
      status: ['waiting', 'failed'],
      graph: 'refunds',
      node: 'approve',
      tags: { eu: 'yes' },
      olderThan: '1h',
      idPrefix: 'ord_',
    };
    const words = ['status:waiting', 'status:failed', 'graph:refunds', 'node:approve', 'tag:eu=yes', 'age>1h', 'ord_'];
    expect(parseRunQuery(words)).toEqual(query);
    expect(parseRunQuery([words.join('  ')])).toEqual(query);
    expect(parseRunQuery(['status:waiting,failed'])).toEqual({ status: ['waiting', 'failed'] });
    expect(parseRunQuery(['status:suspended'])).toEqual({ status: ['suspended'] });
    expect(parseRunQuery([])).toEqual({});
  });

  test.each([
    ['status:done', 'Unknown status "done"'],
    ['colour:red', 'Unknown condition "colour:red"'],
    ['age<1h', 'Unknown condition "age<1h"'],
    ['tag:eu', 'Invalid tag "eu"'],
  ])('refuses %s rather than listing everything', (word, message) => {
    expect(() => parseRunQuery([word])).toThrow(message);
  });
});

describe('parseTags()', () => {
  test('keeps what follows the first sign', () => {
    expect(parseTags(['a=b=c', 'd='])).toEqual({ a: 'b=c', d: '' });
  });
});
