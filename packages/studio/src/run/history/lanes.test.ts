import type { CheckpointJson, RunJson } from '@holdfast/server/client';
import { describe, expect, test } from 'vitest';
import { type Branch, treeRows } from './fork-tree.ts';
import { laned } from './lanes.ts';

function run(id: string, status: RunJson['status'], head: number, updatedAt: number): RunJson {
  return {
    id,
    kind: 'graph',
    graph: 'refunds',
    version: 1,
    status,
    superstep: 1,
    head,
    createdAt: new Date(0).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
    tags: {},
    parentId: null,
    forkedAt: null,
    waits: [],
    wakeAt: null,
    worker: null,
    refusals: [],
  };
}

function checkpoint(id: string, parentId: string | null, at: number, next: readonly string[]): CheckpointJson {
  const [runId = '', seq = '0'] = id.split('@');
  return {
    id,
    runId,
    seq: Number(seq),
    superstep: Number(seq),
    parentId,
    label: '',
    kind: 'superstep',
    nodes: [],
    changed: [],
    bytes: 0,
    next,
    status: 'running',
    at: new Date(at).toISOString(),
  };
}

const main: Branch = {
  run: run('ord', 'running', 21, 100),
  checkpoints: [
    checkpoint('ord@14', 'ord@3', 20, ['approve']),
    checkpoint('ord@3', 'ord@1', 10, ['decide']),
    checkpoint('ord@1', null, 1, ['plan']),
  ],
};
const whatIf: Branch = {
  run: run('what-if', 'completed', 17, 60),
  checkpoints: [checkpoint('what-if@16', 'what-if@15', 55, []), checkpoint('what-if@15', 'ord@14', 50, ['approve'])],
};
const strict: Branch = {
  run: run('strict', 'failed', 8, 80),
  checkpoints: [checkpoint('strict@4', 'ord@3', 70, ['decide'])],
};

describe('treeRows()', () => {
  test('names a checkpoint by the nodes that ran before it, and adds the head of each run', () => {
    const rows = treeRows([main, whatIf, strict], undefined);
    expect(rows.map(({ id, name, dot }) => [id, name, dot])).toEqual([
      ['ord@21', 'approve', 'running'],
      ['strict@8', 'decide', 'failed'],
      ['strict@4', 'fork', 'checkpoint'],
      ['what-if@17', 'end', 'end'],
      ['what-if@16', 'approve', 'checkpoint'],
      ['what-if@15', 'fork', 'checkpoint'],
      ['ord@14', 'decide', 'checkpoint'],
      ['ord@3', 'plan', 'checkpoint'],
      ['ord@1', 'start', 'checkpoint'],
    ]);
  });

  test('a suspended fork that nothing followed is its checkpoint', () => {
    const fork: Branch = {
      run: run('held', 'suspended', 15, 60),
      checkpoints: [checkpoint('held@15', 'ord@14', 55, ['approve'])],
    };
    expect(treeRows([fork], undefined).map(({ id, isHead }) => [id, isHead])).toEqual([['held@15', false]]);
  });
});

describe('laned()', () => {
  test('gives each run a lane, and bends a fork into the row that it begins at', () => {
    const { rows, lanes } = laned(treeRows([main, whatIf, strict], undefined), 'ord');
    expect(lanes).toBe(3);
    expect(rows.map(({ row, lane, joins }) => [row.id, lane, joins])).toEqual([
      ['ord@21', 0, []],
      ['strict@8', 1, []],
      ['strict@4', 1, []],
      ['what-if@17', 2, []],
      ['what-if@16', 2, []],
      ['what-if@15', 2, []],
      ['ord@14', 0, [2]],
      ['ord@3', 0, [1]],
      ['ord@1', 0, []],
    ]);
    // The lane of `strict` passes by until it joins.
    expect(rows[4]?.through.map(({ lane }) => lane)).toEqual([0, 1, 2]);
    expect(rows[6]?.through.map(({ lane }) => lane)).toEqual([0, 1]);
    expect(rows.at(-1)?.through).toEqual([{ lane: 0, top: true, bottom: false }]);
  });

  test('uses a lane again once its run has joined', () => {
    const late: Branch = {
      run: run('late', 'completed', 23, 200),
      checkpoints: [checkpoint('late@22', 'ord@14', 190, [])],
    };
    const early: Branch = {
      run: run('early', 'completed', 5, 9),
      checkpoints: [checkpoint('early@4', 'ord@1', 8, [])],
    };
    const { rows, lanes } = laned(treeRows([main, late, early], undefined), 'ord');
    expect(lanes).toBe(2);
    expect(rows.filter(({ row }) => row.runId !== 'ord').every(({ lane }) => lane === 1)).toBe(true);
  });

  test('10,000 checkpoints are laned in one pass', () => {
    const checkpoints = Array.from({ length: 10_000 }, (_, index) =>
      checkpoint(`r@${10_000 - index}`, index === 9_999 ? null : `r@${9_999 - index}`, 10_000 - index, ['a']),
    );
    const { rows } = laned(treeRows([{ run: run('r', 'running', 10_001, 20_000), checkpoints }], undefined), 'r');
    expect(rows).toHaveLength(10_001);
  });
});
