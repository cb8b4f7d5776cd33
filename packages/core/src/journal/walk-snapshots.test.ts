import { expect, test, vi } from 'vitest';
import { all, memoryParts } from '../testing/memory-parts.ts';
import { walkSnapshots } from './walk-snapshots.ts';

test('reads no snapshot past the end of a segment, however many there are', async () => {
  const { store, driver, checkpoints } = memoryParts();
  for (let n = 1; n <= 40; n += 1) await checkpoints.save('r', { state: { n } });
  let read = 0;
  const snapshots = driver.snapshots.bind(driver);
  vi.spyOn(driver, 'snapshots').mockImplementation(async (query) => {
    const page = await snapshots(query);
    read += page.length;
    return page;
  });

  const found = await all(walkSnapshots({ store, segments: [{ runId: 'r', after: 0, upTo: 5, floor: 0 }] }));

  expect(found.map(({ snapshot }) => snapshot.seq)).toEqual([5, 4, 3, 2, 1]);
  // One more covers 5: the one saved next covers the journal before it.
  expect(read).toBeLessThanOrEqual(6);
});
