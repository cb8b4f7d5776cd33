import { describe, expect, test } from 'vitest';
import { readStart } from './read-start.ts';

const draft = { mode: 'form', json: '', id: '', tags: '' } as const;

describe('readStart()', () => {
  test('takes the input of the form, or of the JSON', () => {
    expect(readStart({ ...draft, id: ' ord_94 ', tags: 'region=eu  note=a=b' }, { cents: 1 })).toEqual({
      input: { cents: 1 },
      id: 'ord_94',
      tags: { region: 'eu', note: 'a=b' },
      problem: undefined,
    });
    expect(readStart({ ...draft, mode: 'json', json: '[1]' }, { cents: 1 }).input).toEqual([1]);
  });

  test('says what is wrong', () => {
    expect(readStart({ ...draft, tags: 'eu' }, {}).problem).toBe('Write the tag "eu" as name=value.');
    expect(readStart({ ...draft, mode: 'json', json: '{' }, {}).problem).toMatch(/^No JSON/u);
  });
});
