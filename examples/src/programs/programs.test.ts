import { expect, test } from 'vitest';
import { printedBy } from '../printed-by.ts';
import { done, most } from './services/world.ts';

const programs = {
  'react-agent': [() => import('./react-agent.ts'), ['21 °C in Oban, high water in Oban at noon']],
  escalation: [() => import('./escalation.ts'), ['manager is asked: Refund ord-81?', 'refunded ord-81']],
  'fan-out-with-limits': [
    () => import('./fan-out-with-limits.ts'),
    ['page /1, page /2, no /404, page /3, page /4, page /5'],
  ],
  saga: [
    () => import('./saga.ts'),
    ['cancelled booked flight-1, booked hotel-1, cancelled hotel-1, cancelled flight-1'],
  ],
  chat: [() => import('./chat.ts'), ['m1: reply', 'm1: 1', 'm2: reply', 'm2: 3']],
  supervisor: [
    () => import('./supervisor.ts'),
    ['+: facts about kelp; -: risks of kelp', 'critic completed', 'scout completed'],
  ],
  'daily-report': [() => import('./daily-report.ts'), ['report of 2026-11-18, report of 2026-11-19']],
  'webhook-order': [() => import('./webhook-order.ts'), ['202 202 shipped kelp, paid by card-7']],
  'polling-job': [() => import('./polling-job.ts'), ['https://example.org/film-7.mp4']],
  'fork-and-compare': [
    () => import('./fork-and-compare.ts'),
    ['/cents 12000 -> 5000', '/offer offer: 12000 cents -> offer: 5000 cents'],
  ],
} as const;

test.each(Object.entries(programs))('%s prints what it should', async (_name, [load, printed]) => {
  done.length = 0;
  expect(await printedBy(load)).toEqual(printed);
});

test('fan-out-with-limits reads at most four pages at a time', async () => {
  await import('./fan-out-with-limits.ts');
  expect(most.atOnce).toBe(4);
});
