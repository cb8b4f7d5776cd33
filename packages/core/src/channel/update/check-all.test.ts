import type { StandardSchemaV1 } from '@standard-schema/spec';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { holdfastError } from '../../errors/holdfast-error.ts';
import { channelSet } from '../channel-set.ts';
import { list } from '../list.ts';
import { allProblems } from './channel-error.ts';
import { prepareUpdate } from './prepare-update.ts';

const late: StandardSchemaV1 = {
  '~standard': {
    version: 1,
    vendor: 'test',
    validate: async () => ({ issues: [{ message: 'too late', path: ['x'] }] }),
  },
};

describe('an update that is wrong', () => {
  const several = channelSet({
    order: z.string(),
    cents: z.object({ n: z.int(), unit: z.string() }),
    log: list(z.string()),
    later: late,
  });
  const orderIssue = { channel: 'order', path: '', message: expect.stringContaining('string') };
  const centsIssues = [
    { channel: 'cents', path: '/n', message: expect.any(String) },
    { channel: 'cents', path: '/unit', message: expect.any(String) },
  ];

  test('reports everything that is wrong with an update, each problem with its path', async () => {
    const wrong = { order: 81, oder: 1, cents: { n: 1.5 }, log: ['a', 2, 'b', 3] };
    const expected = {
      code: 'HOLDFAST_INVALID_VALUE',
      message: expect.stringMatching(
        /^4 problems: The schema of channel "order" .*No channel is named "oder".* \/n: .*\/unit: .*2 problems: .* at \/1: .* at \/3: .* Nothing was written\.$/u,
      ),
      details: {
        channel: 'order',
        path: '',
        issues: [
          orderIssue,
          { channel: 'oder', path: '', message: expect.stringContaining('No channel is named "oder"') },
          ...centsIssues,
          { channel: 'log', path: '/1', message: expect.any(String) },
          { channel: 'log', path: '/3', message: expect.any(String) },
        ],
      },
    };
    expect(() => prepareUpdate(several, wrong)).toThrow(expect.objectContaining(expected));
    const issues = [...expected.details.issues, { channel: 'later', path: '/x', message: 'too late' }];
    await expect(prepareUpdate(several, { ...wrong, later: 1 })).rejects.toMatchObject({ details: { issues } });
  });

  test('lists the first problems and counts the others', () => {
    const wrong = { log: Array.from({ length: 30 }, () => 1) };
    expect(() => prepareUpdate(several, wrong)).toThrow(
      /^30 problems: .* at \/19: .*And 10 more\. Nothing was written\.$/u,
    );
  });

  test('does not hide an error that is not about a value', () => {
    const bug = new TypeError('a bug');
    expect(allProblems([holdfastError('HOLDFAST_INVALID_VALUE', 'x'), bug])).toBe(bug);
  });
});
