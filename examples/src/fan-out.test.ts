import { expect, test } from 'vitest';
import { printedBy } from './printed-by.ts';

test('fan-out runs in parallel, joins in a fixed order, and has a graph inside', async () => {
  expect(await printedBy(() => import('./fan-out.ts'))).toEqual([
    'kelp grows fast; no papers (HOLDFAST_NODE_FAILED) (1. algae, 2. otters, 3. urchins)',
    'report was a run of its own: completed, under issue-1',
  ]);
});
