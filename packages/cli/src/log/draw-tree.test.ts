import { describe, expect, test } from 'vitest';
import { drawTree, type LogTree } from './draw-tree.ts';

function tree(mark: string, baseSeq: number, seqs: readonly number[], forks: readonly LogTree[] = []): LogTree {
  const entries = seqs.map((seq) => ({ runId: mark, seq, nodes: '', what: '', at: new Date(0) }));
  return { mark, baseSeq, entries, forks };
}

function drawn(root: LogTree): readonly string[] {
  return drawTree(root).map(
    ({ lanes, entry, mark }) => `${lanes}${entry?.seq ?? ''}${mark === undefined ? '' : ` ${mark}`}`,
  );
}

describe('drawTree()', () => {
  test('draws a fork above the entry it was forked from, as in the specification', () => {
    expect(drawn(tree('head', 0, [9, 5, 3], [tree('what-if', 5, [7, 6])]))).toEqual([
      '* 9 head',
      '| * 7 what-if',
      '| * 6',
      '|/',
      '* 5',
      '* 3',
    ]);
  });

  test('draws forks of forks, several from one checkpoint, and one from the head', () => {
    const deep = tree('b', 6, [8], []);
    const root = tree('head', 0, [5, 2], [tree('a', 2, [6, 4], [deep]), tree('c', 2, [3]), tree('d', 5, [6])]);
    expect(drawn(root)).toEqual([
      '  * 6 d',
      ' /',
      '* 5 head',
      '|   * 8 b',
      '|  /',
      '| * 6 a',
      '| * 4',
      '|/',
      '| * 3 c',
      '|/',
      '* 2',
    ]);
  });

  test('draws a fork below everything that pruning left', () => {
    expect(drawn(tree('head', 0, [9], [tree('old', 2, [3])]))).toEqual(['* 9 head', '| * 3 old', '|/']);
  });
});
