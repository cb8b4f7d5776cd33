import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { giveBack, takeSchema } from '../../packages/core/src/testing/postgres/postgres-places.ts';
import { testServer } from '../../packages/core/src/testing/postgres/server.ts';
import { openWorkshop } from './workshop.ts';

test.each(['sqlite', 'postgres'] as const)('fleet: four workers on %s, one of which is killed', async (kind) => {
  const workshop = openWorkshop();
  const schema = await takeSchema();
  try {
    const code = readFileSync(new URL('../../examples/src/fleet.ts', import.meta.url), 'utf8');
    const path = join(workshop.folder, 'fleet.db');
    const store = kind === 'sqlite' ? `sqlite:${path}` : `${await testServer()}?schema=${schema}`;
    const { ended, lines } = workshop.run({ code, args: [store] });
    // On a busy machine, the program is warned that runs wait for a worker.
    expect(await ended).toEqual({ code: 0, signal: null });
    expect(lines).toEqual([
      'A worker was killed in the middle of a chapter.',
      '12 reports of 6 chapters, all whole.',
      'No finished chapter was written twice.',
    ]);
  } finally {
    workshop.close();
    await giveBack(schema);
  }
});
