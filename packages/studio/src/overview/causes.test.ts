import { expect, test } from 'vitest';
import { causesOf } from './causes.ts';

test('failures with the same reason are one cause, whatever ids their messages name', () => {
  const runs = [
    { graph: 'triage', message: 'Run "a" took 12 s' },
    { graph: 'ingest', message: '429' },
    { graph: 'triage', message: 'Run "b" took 9 s' },
  ];
  const causes = causesOf(runs, ({ message }) => ({ name: 'Error', message }));
  expect(causes.map(({ graph, runs, message }) => [graph, runs.length, message])).toEqual([
    ['triage', 2, 'Run "a" took 12 s'],
    ['ingest', 1, '429'],
  ]);
});
