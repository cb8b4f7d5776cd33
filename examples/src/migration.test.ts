import { expect, test } from 'vitest';
import { printedBy } from './printed-by.ts';

test('migration tells what would be stranded, and takes a waiting run along', async () => {
  const [stranded, ...rest] = await printedBy(() => import('./migration.ts'));
  expect(stranded).toMatch(/^ord_81 would be stranded: .*check/);
  expect(rest).toEqual([
    'with its migration: 0 stranded',
    '{"order":"ord_81","amount":{"cents":500,"currency":"EUR"}}',
  ]);
});
