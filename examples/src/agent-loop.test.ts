import { expect, test } from 'vitest';
import { printedBy } from './printed-by.ts';

test('agent-loop calls tools, streams, and is a chat of two turns', async () => {
  expect(await printedBy(() => import('./agent-loop.ts'))).toEqual([
    'How is Oban? -> Oban: 21 °C; no tides',
    'How much did you say? -> I said 2 things.',
    'one run, 7 messages: user, assistant, tool, tool, assistant, user, assistant',
  ]);
});
