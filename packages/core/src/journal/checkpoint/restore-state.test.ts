import { describe, expect, test } from 'vitest';
import { openSnapshot, sealSnapshot } from '../../store/commit/encode.ts';
import type { StoredSnapshot } from '../../store/contract/commit.ts';
import type { MemoryRun } from '../../store/memory/memory-run.ts';
import { all, corruptSnapshot, type MemoryParts, memoryParts } from '../../testing/memory-parts.ts';
import { verifyStore } from '../verify.ts';
import { checkCheckpoints } from './check-checkpoints.ts';

/** Six checkpoints, each but the first a change of the one before it. */
async function grown(): Promise<MemoryParts> {
  const parts = memoryParts();
  const state = { log: [] as string[] };
  for (let n = 0; n < 6; n += 1) {
    state.log.push(`${n} `.padEnd(500, 'abc'));
    await parts.checkpoints.save('r', { state });
  }
  return parts;
}

/** Changes what a snapshot holds, with a checksum that fits. */
function rewrite({ disk }: MemoryParts, at: number, parts: { readonly head?: object; readonly body?: unknown }): void {
  const { snapshots } = disk.runs.get('r') as MemoryRun;
  const index = snapshots.length + at;
  const stored = snapshots[index] as StoredSnapshot;
  const found = openSnapshot('r', stored);
  if (!found.ok) throw found.error;
  const { covers, seq } = stored;
  const head = { ...(found.head as object), ...parts.head };
  snapshots[index] = sealSnapshot({ runId: 'r', seq }, { covers, head, body: parts.body ?? found.body });
}

const idsOf = async ({ checkpoints }: MemoryParts): Promise<readonly string[]> =>
  (await all(checkpoints.list('r', { states: true }))).map(({ id }) => id);

describe('a corrupt change', () => {
  test('takes those with it that were built on it, and says so', async () => {
    const parts = await grown();
    corruptSnapshot(parts.disk, 'r', -3, 'body');
    expect(await parts.checkpoints.latest('r')).toMatchObject({ id: 'r@3' });
    expect(parts.warnings).toHaveLength(3);
    expect(await idsOf(parts)).toEqual(['r@3', 'r@2', 'r@1']);
    await expect(checkCheckpoints(parts.store, 'r')).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
  });

  test('does not keep the next save from being whole', async () => {
    const parts = await grown();
    corruptSnapshot(parts.disk, 'r', -6, 'body');
    const again = memoryParts();
    again.disk.runs.set('r', parts.disk.runs.get('r') as MemoryRun);
    await again.checkpoints.save('r', { state: { log: ['whole'] } });
    expect(await again.checkpoints.latest('r')).toMatchObject({ id: 'r@7', state: { log: ['whole'] } });
  });

  test('is left alone by pruning', async () => {
    const parts = await grown();
    corruptSnapshot(parts.disk, 'r', -1, 'body');
    await parts.checkpoints.prune('r', { keep: 1 });
    expect(parts.warnings).toEqual([expect.stringContaining('r@6')]);
  });

  test.each([
    ['that does not fit', { body: { delta: { log: ['o', {}, []] } } }],
    ['that is none', { body: { delta: { log: 7 } } }],
    ['that is missing', { body: 'nothing' }],
    ['that changes itself', { head: { base: { covers: 3, seq: 4 } } }],
    ['of nothing', { body: { from: { runId: '../x', covers: 0, seq: 1 }, set: {} } }],
  ])('%s is refused with its place', async (_, change) => {
    const parts = await grown();
    rewrite(parts, -3, change);
    await expect(parts.checkpoints.load('r@4')).rejects.toMatchObject({
      code: 'HOLDFAST_CORRUPT',
      details: { where: 'r@4' },
    });
    expect((await idsOf(parts)).at(-1)).toBe('r@1');
  });

  test('with a head that is none is refused', async () => {
    const parts = await grown();
    rewrite(parts, -1, { head: { at: 'never' } });
    await expect(parts.checkpoints.load('r@6')).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
    await expect(checkCheckpoints(parts.store, 'r')).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
  });

  test('whose base is missing is found by verifyStore()', async () => {
    const parts = await grown();
    (parts.disk.runs.get('r') as MemoryRun).snapshots.splice(2, 1);
    expect(await verifyStore(parts.store)).toMatchObject({ ok: false, corruption: [{ where: 'r@4' }] });
  });
});
