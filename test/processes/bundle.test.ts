import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openWorkshop, type Workshop } from './workshop.ts';

let workshop: Workshop;
beforeAll(() => {
  workshop = openWorkshop();
});
afterAll(() => workshop.close());

async function printedBy(code: string): Promise<readonly string[]> {
  const { ended, lines } = workshop.run({ code });
  await ended;
  return lines;
}

describe('the bundle that is shipped', () => {
  test('prints an error under the name that the documentation has', async () => {
    const code = `
import { openEngine } from 'holdfast';
import { inspect } from 'node:util';
await openEngine('nothing:here' as 'memory:').catch((error: unknown) => console.log(inspect(error).split(' ')[0]));
`;
    expect(await printedBy(code)).toEqual(['HoldfastError:']);
  });

  test('has one class of errors, whichever of its entries threw', async () => {
    const code = `
import { HoldfastError, openEngine } from 'holdfast';
import { fileStore } from 'holdfast/file';
import { sqliteStore } from 'holdfast/sqlite';
for (const store of [fileStore('/dev/null/store'), sqliteStore('/dev/null/store.db')]) {
  await openEngine(store).catch((error: unknown) => console.log(error instanceof HoldfastError));
}
`;
    expect(await printedBy(code)).toEqual(['true', 'true']);
  });
});
