import { describe, expect, test } from 'vitest';
import { checkOptions } from './check-options.ts';

function refused(option: string): unknown {
  try {
    return checkOptions<object>('submit()', { [option]: 1 }, { id: true });
  } catch (error) {
    return error;
  }
}

describe('checkOptions()', () => {
  test('returns what is known', () => {
    const options = { id: 'r' };
    expect(checkOptions('start()', options, { id: true })).toBe(options);
  });

  test('tells a misspelt option from one that is not there yet', () => {
    expect(refused('idd')).toMatchObject({
      code: 'HOLDFAST_INVALID_OPTION',
      message: 'submit() has no option "idd". The options are id.',
      details: { option: 'idd' },
    });
    for (const option of ['debounce', 'delay', 'limits', 'priority']) {
      expect(refused(option)).toMatchObject({
        code: 'HOLDFAST_INVALID_OPTION',
        message: `submit() has no option "${option}" yet. It is planned.`,
        details: { option },
      });
    }
  });

  test('refuses what is not an object', () => {
    // @ts-expect-error: not an object.
    expect(() => checkOptions('submit()', 'r', {})).toThrow('must be an object');
  });
});
