import { expect, test, vi } from 'vitest';

test('first-run saves, comes back, forks and prunes', async () => {
  const log = vi.spyOn(console, 'log').mockImplementation(() => {});
  await import('./first-run.ts');
  const lines = log.mock.calls.map(([line]) => String(line));
  log.mockRestore();
  expect(lines).toEqual([
    '1. The agent works, and is closed after two mails.',
    '  a first life',
    '  inbox-agent@2  work: invoice from Ada',
    '  inbox-agent@4  home: holiday photos',
    '2. It comes back and continues; nothing is done twice.',
    '  found inbox-agent@4 (sorted holiday photos), 2 mails are sorted',
    '  inbox-agent@6  work: complaint about order 81',
    '  inbox-agent@8  home: newsletter',
    '3. What if the third mail had never come? A fork of the checkpoint before it, as a pointer.',
    '  what-if@6      on what-if@5  ',
    '  what-if@5      on inbox-agent@4  no complaint',
    '  inbox-agent@4  on inbox-agent@2  sorted holiday photos',
    '  inbox-agent@2  on nothing  sorted invoice from Ada',
    '4. Pruning shows first what it would drop; what the fork stands on stays.',
    '  would drop 2, keep 2; protected: inbox-agent@4 (fork)',
    '  left: inbox-agent@8, inbox-agent@4; the journal still has 4 records of sorting',
  ]);
});
