import { expect, test } from 'vitest';
import { printedBy } from './printed-by.ts';

test('plain-workflow sleeps for days, and its step runs once', async () => {
  const lines = await printedBy(() => import('./plain-workflow.ts'));
  expect(lines.filter((line) => line.includes('created'))).toHaveLength(1);
  expect(lines.slice(0, 2)).toEqual(['the function runs', '  an account is created']);
  expect(lines).toContain('after a day: waiting');
  expect(lines.at(-1)).toBe('after three: account of ada@example.org, verified on Monday');
});
