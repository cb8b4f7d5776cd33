import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { openWorkshop } from '../../test/processes/workshop.ts';

test('crash-and-resume kills a process and continues; finished steps are replayed, the cut one is executed', async () => {
  const workshop = openWorkshop();
  try {
    const code = readFileSync(new URL('./crash-and-resume.ts', import.meta.url), 'utf8');
    const { ended, lines, warnings } = workshop.run({ code });
    expect({ ...(await ended), warnings }).toEqual({ code: 0, signal: null, warnings: [] });
    expect(lines).toEqual([
      '1. The first process works.',
      '  writing to Ada',
      '  executed: the letter to Ada',
      '  writing to Bob',
      '  executed: the letter to Bob',
      '  writing to Cleo',
      '2. It is dead (SIGKILL). The second process continues.',
      '  replayed: the letter to Ada',
      '  replayed: the letter to Bob',
      '  writing to Cleo',
      '  executed: the letter to Cleo',
      '  writing to Dora',
      '  executed: the letter to Dora',
      '3. 4 letters, none of the finished ones written twice.',
    ]);
  } finally {
    workshop.close();
  }
});
