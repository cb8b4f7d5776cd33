import { describe, expect, test } from 'vitest';
import type { TreeRow } from '../history/fork-tree.ts';
import { atOf, branchBeside, failureBeside, ownRows, rowBeside, rowOfNode, selectedRow } from './selection.ts';

function row(id: string, parent: string | undefined, given: Partial<TreeRow> = {}): TreeRow {
  const [runId = '', seq = '0'] = id.split('@');
  return {
    id,
    runId,
    seq: Number(seq),
    checkpoint: id,
    isHead: false,
    name: 'n',
    what: '',
    at: '',
    dot: 'checkpoint',
    parent,
    nodes: [],
    superstep: Number(seq),
    ...given,
  };
}

const rows = [
  row('ord@9', 'ord@7', { isHead: true, nodes: ['pay'] }),
  row('ord@7', 'ord@5', { nodes: ['approve'] }),
  row('fork@8', 'fork@6', { isHead: true, dot: 'failed' }),
  row('fork@6', 'ord@5'),
  row('ord@5', 'ord@1', { nodes: ['plan'] }),
  row('ord@1', undefined),
];

describe('selectedRow()', () => {
  test('is the head by default, a number in this run, or any row by its whole name', () => {
    expect(selectedRow(rows, undefined, 'ord')?.id).toBe('ord@9');
    expect(selectedRow(rows, undefined, 'fork')?.id).toBe('fork@8');
    expect(selectedRow(rows, '5', 'fork')?.id).toBe('ord@5');
    expect(selectedRow(rows, 'fork@6', 'ord')?.id).toBe('fork@6');
  });

  test('a record between two checkpoints belongs to the later one; what is gone is the head', () => {
    expect(selectedRow(rows, '6', 'ord')?.id).toBe('ord@7');
    expect(selectedRow(rows, '99', 'ord')?.id).toBe('ord@9');
    expect(selectedRow(rows, 'gone@3', 'ord')?.id).toBe('ord@9');
  });

  test('the address names what it selects', () => {
    for (const each of rows) expect(selectedRow(rows, atOf(each, rows, 'ord'), 'ord')).toBe(each);
  });
});

describe('ownRows()', () => {
  test('leaves out what followed elsewhere', () => {
    expect(ownRows(rows, 'fork').map(({ id }) => id)).toEqual(['fork@8', 'fork@6', 'ord@5', 'ord@1']);
  });
});

test('j and k move by a row, h and l by a branch, [ and ] by a failure', () => {
  expect(rowBeside(rows, rows[0], 1)?.id).toBe('ord@7');
  expect(rowBeside(rows, rows[0], -1)?.id).toBe('ord@9');
  expect(branchBeside(rows, { selected: rows[0], by: 1, root: 'ord' })?.id).toBe('fork@8');
  expect(branchBeside(rows, { selected: rows[2], by: 1, root: 'ord' })).toBeUndefined();
  const newest = rows.toReversed();
  expect(branchBeside(newest, { selected: rows[0], by: 1, root: 'ord' })?.id).toBe('fork@8');
  expect(branchBeside(newest, { selected: rows[0], by: -1, root: 'ord' })).toBeUndefined();
  expect(failureBeside(rows, { story: undefined, selected: rows[0], by: 1 })?.id).toBe('fork@8');
  expect(failureBeside(rows, { story: undefined, selected: rows[0], by: -1 })).toBeUndefined();
});

test('a node is shown where it ran last', () => {
  expect(rowOfNode(rows, 'approve')?.id).toBe('ord@7');
});
