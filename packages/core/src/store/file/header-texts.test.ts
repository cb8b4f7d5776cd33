import { describe, expect, test } from 'vitest';
import type { RunHeader } from '../contract.ts';
import { HeaderTexts } from './header-texts.ts';

/** With all members, in the order of the file. */
const draft: Required<RunHeader> = {
  run: 'r"1',
  graph: 'g',
  version: 1,
  status: 'running',
  step: 0,
  head: 1,
  frontier: ['a', 'ü\n'],
  waits: [{ id: 'w', kind: 'ask', name: 'n', node: 'a', since: 1 }],
  wakeAt: null,
  tags: { a: 'b' },
  base: { run: 'base', seq: 3 },
  parent: null,
  loop: false,
  createdAt: 1_767_225_600_000,
  updatedAt: 1_767_225_600_001,
  floor: 0,
  worker: 'w',
  fence: 1,
  claims: 0,
  hidden: true,
  draft: true,
  token: 't"1',
};

/** Without the one that most headers leave out. */
const header = JSON.parse(JSON.stringify({ ...draft, draft: undefined })) as RunHeader;

describe('encode()', () => {
  const changes: readonly Partial<RunHeader>[] = [
    { step: 1, head: 2, frontier: [], updatedAt: 5, token: 't2' },
    { status: 'waiting' },
    { waits: [] },
    { wakeAt: 7 },
    { tags: {} },
    { floor: 1 },
    { worker: null },
    { fence: 2 },
    { claims: 1 },
    { hidden: false },
    { graph: 'other' },
    { version: 2 },
    { base: null },
    { parent: 'p' },
    { loop: true },
    { createdAt: 3 },
  ];

  test.each(changes)('gives the JSON of the header, also after %o', (change) => {
    for (const before of [draft, header]) {
      const texts = new HeaderTexts();
      for (const each of [before, before, before, { ...before, ...change }, { ...before, ...change }, before]) {
        expect(texts.encode(each)).toBe(JSON.stringify(each));
      }
    }
  });

  test('tells a draft from what it becomes', () => {
    const texts = new HeaderTexts();
    for (const each of [draft, draft, header, header]) expect(texts.encode(each)).toBe(JSON.stringify(each));
  });

  test('goes on for more runs than it remembers', () => {
    const texts = new HeaderTexts();
    for (let round = 0; round < 3; round += 1) {
      for (let run = 0; run < 300; run += 1) {
        const each = { ...header, run: `run-${run}`, step: round };
        expect(texts.encode(each)).toBe(JSON.stringify(each));
      }
    }
  });
});
