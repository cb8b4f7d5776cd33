import type { RecordKind } from '../../src/record/record.ts';

const task = { node: 'count' };
const call = { node: 'main', name: 'ok', n: 0 };
const error = {
  name: 'Error',
  message: 'no',
  code: 'HOLDFAST_STEP_FAILED',
  details: { a: 1 },
  cause: { name: 'E', message: 'm' },
};
const hash = 'f'.repeat(64);

/** A payload of each kind as the engine could have written it, as JSON. Most runs have only some of the kinds. */
export const samplePayloads: Readonly<Record<RecordKind, readonly unknown[]>> = {
  'run-start': [
    { graph: 'counting', version: 1, fingerprint: 'f', hash, next: ['count'], delta: { n: ['=', 0], to: ['=', 3] } },
    {
      graph: 'asking',
      version: 1,
      fingerprint: 'f',
      hash,
      turn: 't',
      next: ['main'],
      settings: { maxSupersteps: 5 },
      wakes: 'w',
    },
  ],
  task: [
    { ...task, update: { n: ['=', 1] }, goto: 'end' },
    { node: 'main', item: 1, of: 3 },
  ],
  superstep: [
    { delta: { n: ['=', 1], log: ['+', ['a']] }, next: ['count'], joins: { count: ['start'] }, counts: { count: 2 } },
  ],
  result: [
    { ...call, name: 'price', value: 4 },
    { ...call, name: 'price', error },
    { ...call, take: 2 },
    { ...call, name: 'asks', child: 'done-0', value: 1 },
    { ...call, name: '.now', type: 'now', value: 1 },
  ],
  intent: [{ ...call, name: 'price', key: 'k' }],
  wait: [
    { ...call, id: 'q', kind: 'ask', show: 'kelp?', until: 5, took: ['ok'], dropped: ['ok'], seen: 2, answer: 1 },
    { ...call, name: 'nap', id: 'z', kind: 'sleep', until: 1 },
    { ...call, name: 'go', id: 'r', kind: 'receive' },
    { ...call, name: 'asks', id: 'c', kind: 'child', child: 'done-0' },
    { ...call, name: 'price', id: 'k', kind: 'effect' },
    { node: 'main', again: true, seen: 3 },
  ],
  answer: [
    { name: 'ok', value: true, wait: 'q', by: 'ada', checked: true },
    { wait: 'q', of: 2, value: true },
    { wait: 'q', of: 2, refused: error },
    { wait: 'c', child: 'done-0' },
  ],
  message: [
    { name: 'go', value: 1, checked: true },
    { turn: 'two', hash, update: { to: ['=', 9] }, settings: { pauseBefore: ['count'] } },
    { name: 'go', refused: error, of: 2 },
  ],
  timer: [{ wait: 'z' }, {}],
  attempt: [
    { ...task, error, retryAt: 1 },
    { ...call, name: 'price', error },
  ],
  emit: [
    {
      items: [
        { ...task, step: 'price', data: 1 },
        { ...task, data: { a: 1 } },
      ],
    },
  ],
  log: [
    { ...task, message: 'said', data: { a: 1 } },
    { ...task, attempt: 2, inStep: true, message: 'said' },
  ],
  turn: [{ of: 3, turn: 'two', next: ['count'], delta: { to: ['=', 9] }, settings: { maxSupersteps: 2 } }],
  pause: [
    { when: 'before', nodes: ['count'] },
    { when: 'after', nodes: ['main'] },
  ],
  resume: [{ maxSupersteps: 9 }, {}],
  cancel: [{ reason: 'no' }, {}],
  settle: [
    { key: 'k', outcome: 'retry' },
    { key: 'k', outcome: { error: 'no' } },
    { key: 'k', outcome: { result: 1 } },
  ],
  'run-end': [
    { status: 'completed', output: 1 },
    { status: 'failed', error },
    { status: 'cancelled', reason: 'no' },
  ],
  fork: [{ label: 'l', next: ['count'], settings: { pauseAfter: ['count'] }, set: { n: ['=', 1] } }],
  migrate: [{ version: 2, fingerprint: 'g', state: { n: ['=', 1] }, nodes: { count: 'count' }, asks: { ok: 'ok' } }],
  note: [{ any: 'thing' }],
  checkpoint: [{ any: 'thing' }],
};
