import type { Json, RecordJson } from '@holdfast/server/client';
import { describe, expect, test } from 'vitest';
import { RunFold } from '../fold/run-fold.ts';
import { journalRows } from './journal-rows.ts';

type Given = readonly [kind: string, payload: Json, meta?: Json];

function rowsOf(given: readonly Given[]) {
  const fold = new RunFold();
  const records = given.map(([kind, payload, meta = {}], index): RecordJson => {
    const seq = index + 1;
    const at = new Date(seq).toISOString();
    return { runId: 'r', seq, id: `r@${seq}`, kind, source: 'system', at, labels: [], meta, payload };
  });
  for (const record of records) fold.add(record);
  return journalRows(records, fold.story());
}

describe('journalRows()', () => {
  const rows = rowsOf([
    ['run-start', { graph: 'g', version: 1, next: ['plan'] }],
    ['result', { node: 'plan', name: 'model' }],
    ['superstep', { next: ['policy', 'fraud'], delta: { log: ['=', 1] } }],
    ['result', { node: 'policy', name: 'read' }],
    ['task', { node: 'policy' }],
    ['result', { node: 'fraud', name: 'score' }],
    [
      'result',
      { node: 'fraud', name: 'history' },
      { takeover: { worker: 'b', from: 'a', noticed: 'death', fence: 2, at: 6 } },
    ],
    ['superstep', { next: [], delta: {} }],
  ]);

  test('names the nodes that ran for a checkpoint, not those that come next', () => {
    const supersteps = rows.flatMap((row) => (row.kind === 'record' && row.record.kind === 'superstep' ? [row] : []));
    expect(supersteps.map(({ what, note }) => [what, note])).toEqual([
      ['plan', 'sets log'],
      ['policy ∥ fraud', ''],
    ]);
  });

  test('what a finished task had recorded is kept; what an open one had is replayed', () => {
    const marks = rows.flatMap((row) => (row.kind === 'record' ? [[row.record.seq, row.mark]] : []));
    expect(marks).toEqual([
      [1, undefined],
      [2, 'kept'],
      [3, 'kept'],
      [4, 'kept'],
      [5, 'kept'],
      [6, 'replayed'],
      [7, 'executed'],
      [8, 'executed'],
    ]);
  });

  test('says where a worker died, and which one took over', () => {
    const workers = rows.flatMap((row) => (row.kind === 'worker' ? [[row.worker, row.isDeath]] : []));
    expect(workers).toEqual([
      ['a', true],
      ['b', false],
    ]);
  });
});
