import { expect, test } from 'vitest';
import { printedBy } from './printed-by.ts';

test('approval waits for a person, without a process', async () => {
  expect(await printedBy(() => import('./approval.ts'))).toEqual([
    '1. The run is waiting, and the process that started it ends.',
    '2. ord_81 asks: Refund €120?',
    '3. Another process takes up 1 run.',
    '4. approved: true; checked ord_81, receipt of ord_81',
  ]);
});
