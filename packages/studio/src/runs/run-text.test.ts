import type { RunJson } from '@holdfast/server/client';
import { describe, expect, test } from 'vitest';
import { detailOf, errorText, tagTexts } from './run-text.ts';

const run: RunJson = {
  id: 'ord_81',
  kind: 'graph',
  graph: 'refunds',
  version: 3,
  status: 'waiting',
  superstep: 4,
  head: 9,
  createdAt: '2026-11-18T10:00:00Z',
  updatedAt: '2026-11-18T10:01:00Z',
  tags: {},
  parentId: null,
  forkedAt: null,
  waits: [],
  wakeAt: null,
  worker: null,
  refusals: [],
};

describe('detailOf()', () => {
  test('says what a run waits for', () => {
    expect(detailOf({ ...run, waits: [{ kind: 'ask', name: 'approval' }] })).toBe('asks approval');
    const two = [
      { kind: 'ask', name: 'approval' },
      { kind: 'receive', name: 'paid' },
    ] as const;
    expect(detailOf({ ...run, waits: two })).toBe('asks approval and 1 more');
    const sleeps = { ...run, waits: [{ kind: 'sleep', name: '' }] as const, wakeAt: '2026-11-19T09:00:00' };
    expect(detailOf(sleeps)).toBe('until 19 Nov 09:00:00');
  });

  test('says first why no worker continues a run', () => {
    const refusal = { worker: 'w', code: 'HOLDFAST_VERSION', message: 'no node "manual"', at: run.updatedAt };
    expect(detailOf({ ...run, refusals: [refusal], waits: [{ kind: 'ask', name: 'a' }] })).toBe(
      'HOLDFAST_VERSION: no node "manual"',
    );
  });

  test('says where a run came from, if nothing else', () => {
    expect(detailOf({ ...run, status: 'completed', forkedAt: 'ord_1@3' })).toBe('fork of ord_1@3');
    expect(detailOf({ ...run, parentId: 'ord_1' })).toBe('child of ord_1');
    expect(detailOf(run)).toBe('');
  });
});

describe('errorText()', () => {
  test('finds what the node threw', () => {
    const thrown = { name: 'RateLimit', message: '429' };
    const failed = { code: 'HOLDFAST_NODE_FAILED', message: 'Node "embed" failed.', cause: thrown };
    expect(errorText(failed)).toEqual({ name: 'RateLimit', message: '429' });
    expect(errorText({ code: 'HOLDFAST_INVALID_VALUE', message: 'at /label' }).name).toBe('HOLDFAST_INVALID_VALUE');
    expect(errorText('just text')).toEqual({ name: 'Error', message: 'just text' });
  });
});

test('tags are written as in a query', () => {
  expect(tagTexts({ region: 'eu', tier: 'gold' })).toEqual(['region=eu', 'tier=gold']);
});
