import type { Json, RecordJson } from '@holdfast/server/client';
import { describe, expect, test } from 'vitest';
import { RunFold } from './run-fold.ts';
import type { Story } from './story.ts';

type Given = readonly [kind: string, at: number, payload: Json, meta?: Json];

function storyOf(given: readonly Given[]): Story {
  const fold = new RunFold();
  for (const [index, [kind, at, payload, meta = {}]] of given.entries()) {
    const seq = index + 1;
    const record: RecordJson = {
      runId: 'r',
      seq,
      id: `r@${seq}`,
      kind,
      source: 'system',
      at: new Date(at).toISOString(),
      labels: [],
      meta,
      payload,
    };
    fold.add(record);
  }
  return fold.story();
}

const short = (story: Story) => story.spans.map(({ node, kind, from, to, end }) => [node, kind, from, to, end]);

describe('RunFold', () => {
  test('tells the super-steps, their nodes and what they changed', () => {
    const story = storyOf([
      ['run-start', 0, { next: ['plan'], delta: { order: ['=', 'o'] } }],
      ['result', 10, { node: 'plan', name: 'model' }],
      ['superstep', 12, { next: ['a', 'b'], delta: { log: ['+', []], n: ['=', 1] } }],
      ['task', 20, { node: 'b' }],
    ]);
    expect(story.supersteps.map(({ index, nodes, seq, changed }) => [index, nodes, seq, changed])).toEqual([
      [0, [], 1, ['order']],
      [1, ['plan'], 3, ['log', 'n']],
      [2, ['a', 'b'], undefined, []],
    ]);
    expect(story.tasks.map(({ node, status }) => [node, status])).toEqual([
      ['plan', 'completed'],
      ['a', 'running'],
      ['b', 'completed'],
    ]);
  });

  test('makes a bar of each try, a line of each backoff', () => {
    const story = storyOf([
      ['run-start', 0, { next: ['lookup'] }],
      ['attempt', 100, { node: 'lookup', name: 'parcel', error: { message: 'HTTP 503' }, retryAt: 150 }],
      ['attempt', 200, { node: 'lookup', name: 'parcel', error: { message: 'timeout' }, retryAt: 300 }],
      ['result', 400, { node: 'lookup', name: 'parcel' }],
      ['superstep', 400, {}],
    ]);
    expect(short(story)).toEqual([
      ['lookup', 'run', 0, 100, 'failed'],
      ['lookup', 'backoff', 100, 150, 'done'],
      ['lookup', 'run', 150, 200, 'failed'],
      ['lookup', 'backoff', 200, 300, 'done'],
      ['lookup', 'run', 300, 400, 'done'],
    ]);
    expect(story.failures.map(({ attempt, error }) => [attempt, error.message])).toEqual([
      [1, 'HTTP 503'],
      [2, 'timeout'],
    ]);
    expect(story.tasks[0]).toMatchObject({ failures: 2, activeMs: 250 });
  });

  test('a wait ends with its answer, and says who gave it', () => {
    const story = storyOf([
      ['run-start', 0, { next: ['approve'] }],
      ['wait', 5, { node: 'approve', name: 'approval', id: 'k1', kind: 'ask', show: { text: 'Refund?' } }],
      ['answer', 900, { wait: 'k1', name: 'approval', value: { ok: true }, by: 'ada' }],
      ['superstep', 910, {}],
    ]);
    expect(story.waits).toMatchObject([{ name: 'approval', from: 5, to: 900, by: 'ada', value: { ok: true } }]);
    expect(short(story)).toEqual([
      ['approve', 'run', 0, 5, 'done'],
      ['approve', 'wait', 5, 900, 'done'],
      ['approve', 'run', 900, 910, 'done'],
    ]);
  });

  test('an answer that was refused leaves the question open', () => {
    const story = storyOf([
      ['run-start', 0, { next: ['approve'] }],
      ['wait', 5, { node: 'approve', name: 'approval', id: 'k1', kind: 'ask' }],
      ['answer', 9, { wait: 'k1', of: 3, refused: { message: 'no' } }],
    ]);
    expect(story.waits[0]?.to).toBeUndefined();
    expect(story.tasks[0]?.status).toBe('waiting');
  });

  test('what a dead worker was busy with is killed, and starts again at the takeover', () => {
    const takeover = { worker: 'w2', from: 'w1', noticed: 'lease', fence: 2, at: 110 };
    const story = storyOf([
      ['run-start', 0, { next: ['a', 'b'] }],
      ['task', 60, { node: 'b' }],
      ['task', 150, { node: 'a' }, { takeover }],
    ]);
    expect(short(story)).toEqual([
      ['a', 'run', 0, 60, 'killed'],
      ['a', 'run', 110, 150, 'done'],
      ['b', 'run', 0, 60, 'done'],
    ]);
    expect(story.tasks.map(({ wasTakenOver }) => wasTakenOver)).toEqual([true, false]);
    expect(story.takeovers).toMatchObject([{ seq: 3, from: 'w1', by: 'w2', diedAt: 60, at: 110 }]);
  });

  test('the end of a run ends what is open', () => {
    const story = storyOf([
      ['run-start', 0, { next: ['pay'] }],
      ['attempt', 10, { node: 'pay', error: { message: 'no', code: 'X', cause: { name: 'E', message: 'deep' } } }],
      ['run-end', 12, { status: 'failed', error: { message: 'no' } }],
    ]);
    expect(story.end).toMatchObject({ status: 'failed', seq: 3 });
    expect(story.tasks[0]?.status).toBe('failed');
    expect(story.failures[0]?.error).toMatchObject({ code: 'X', causes: ['E: deep'] });
    expect(story.spans.every(({ end }) => end !== 'open')).toBe(true);
  });

  test('reads a redacted journal, and one whose start was trimmed', () => {
    expect(() =>
      storyOf([
        ['result', 5, null],
        ['wait', 6, {}],
        ['superstep', 7, {}],
      ]),
    ).not.toThrow();
  });

  test('the items of an each are tasks of their own', () => {
    const story = storyOf([
      ['run-start', 0, { next: ['map'] }],
      ['task', 10, { node: 'map', item: 0, of: 2 }],
      ['task', 20, { node: 'map', item: 1, of: 2 }],
      ['superstep', 20, { counts: { map: 2 } }],
    ]);
    expect(story.tasks.map(({ item }) => item)).toEqual([0, 1]);
  });
});
