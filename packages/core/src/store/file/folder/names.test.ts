import { describe, expect, test } from 'vitest';
import {
  idsName,
  isFolderName,
  isTrashName,
  pathInside,
  readNames,
  segmentName,
  snapshotName,
  trashName,
} from './names.ts';

describe('pathInside()', () => {
  test('joins names that are ours', () => {
    expect(pathInside('/store', 'runs', 'journal-000000001.jsonl')).toBe('/store/runs/journal-000000001.jsonl');
  });

  test.each(['..', '.', '', 'a/b', '../x', 'a\0b', '.hidden', 'ü'])('refuses %j', (name) => {
    expect(() => pathInside('/store', name)).toThrow(expect.objectContaining({ code: 'HOLDFAST_STORE_UNSAFE' }));
  });
});

describe('readNames()', () => {
  test('knows segments and snapshots by their names, in order, and leaves others alone', () => {
    const names = [
      segmentName(12),
      segmentName(3),
      segmentName(Number.MAX_SAFE_INTEGER),
      snapshotName({ covers: 1, seq: 2, rev: 3 }),
      idsName(4),
      'ids-04.json',
      'ids-5.json.tmp',
      'journal-3.jsonl',
      'journal-0000000003.jsonl',
      'snapshot-01-2-3.json',
      'snapshot-1-2.json',
      'notes.txt',
      'snapshot-1-2-3.json.tmp',
      'journal-000000003.jsonl.tmp',
      'notes.tmp',
      'my notes.tmp',
      '.tmp',
      '.DS_Store',
    ];
    expect(readNames(names)).toEqual({
      segments: [3, 12, Number.MAX_SAFE_INTEGER],
      snapshots: [{ covers: 1, seq: 2, rev: 3 }],
      ids: [4],
      unfinished: ['ids-5.json.tmp', 'snapshot-1-2-3.json.tmp', 'journal-000000003.jsonl.tmp'],
    });
  });
});

describe('the names of folders', () => {
  test('tell runs from what waits to be deleted', () => {
    const folder = 'a'.repeat(32);
    expect(isFolderName(folder)).toBe(true);
    expect(isTrashName(trashName(folder, '12ab'))).toBe(true);
    expect(isFolderName(trashName(folder, '12ab'))).toBe(false);
    expect(isTrashName(folder)).toBe(false);
  });
});
