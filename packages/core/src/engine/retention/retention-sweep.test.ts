import { describe, expect, test } from 'vitest';
import { deleteRun } from '../../journal/delete-run.ts';
import type { StoredSnapshot } from '../../store/contract/commit.ts';
import type { RunHeader } from '../../store/contract/run.ts';
import type { MemoryRun } from '../../store/memory/memory-run.ts';
import { createGraphRun, type MemoryParts, memoryParts } from '../../testing/memory-parts.ts';
import type { Retention } from './retention-options.ts';
import { RetentionSweep } from './retention-sweep.ts';

const runs = Array.from({ length: 25 }, (_, at) => `run-${String(at).padStart(2, '0')}`);

async function filled(): Promise<MemoryParts> {
  const parts = memoryParts();
  for (const id of runs) for (const n of [1, 2, 3]) await parts.checkpoints.save(id, { state: { n } });
  return parts;
}

function left({ disk }: MemoryParts): number {
  return [...disk.runs.values()].reduce((sum, { snapshots }) => sum + snapshots.length, 0);
}

function sweepOf(parts: MemoryParts, retention: Retention): RetentionSweep {
  const deleteEnded = async ({ runId }: RunHeader): Promise<void> => void (await deleteRun(parts, runId));
  return new RetentionSweep({ ...parts, deleteEnded }, retention);
}

describe('RetentionSweep', () => {
  test('prunes a few runs per slice, then the rest, then from the oldest again', async () => {
    const parts = await filled();
    const sweep = sweepOf(parts, { checkpoints: { keep: 1 } });
    await sweep.sweep();
    expect(left(parts)).toBe(20 + 5 * 3);
    await sweep.sweep();
    expect(left(parts)).toBe(25);
    for (const id of runs) await parts.checkpoints.save(id, { state: {} });
    await sweep.sweep();
    expect(left(parts)).toBe(20 + 5 * 2);
  });

  test('removes deleted runs that no fork needs', async () => {
    const parts = await filled();
    await parts.store.trim({ runId: 'run-01', hide: { keepTo: 0 } });
    await sweepOf(parts, { runs: {} }).sweep();
    expect(parts.disk.runs.has('run-01')).toBe(true);
    await sweepOf(parts, { runs: { failed: '1d' }, checkpoints: { keep: 1, status: ['cancelled'] } }).sweep();
    expect(parts.disk.runs.has('run-01')).toBe(false);
    expect(left(parts)).toBe(24 * 3);
  });

  test('continues for many slices as long as it deletes runs', async () => {
    const parts = await filled();
    for (const id of runs) await parts.checkpoints.save(id, { state: {}, status: 'completed' });
    await sweepOf(parts, { runs: { completed: 0 } }).sweep();
    expect(parts.disk.runs.size).toBe(0);
  });

  test('prunes the other runs when one is corrupt, and warns', async () => {
    const parts = memoryParts();
    await createGraphRun(parts.store, 'bad');
    const bad = parts.disk.runs.get('bad') as MemoryRun;
    bad.records = bad.records.map((record) => ({ ...record, text: 'j{}' }));
    for (const n of [1, 2]) await parts.checkpoints.save('good', { state: { n } });
    await sweepOf(parts, { checkpoints: { keep: 1 } }).sweep();
    expect((parts.disk.runs.get('good') as MemoryRun).snapshots.map(({ seq }: StoredSnapshot) => seq)).toEqual([2]);
    expect(parts.warnings).toEqual([expect.stringContaining('"bad"')]);
  });

  test('fails when the store does', async () => {
    const parts = await filled();
    const sweep = sweepOf(parts, { checkpoints: { keep: 1 } });
    parts.driver.snapshots = () => Promise.reject(new Error('unplugged'));
    await expect(sweep.sweep()).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FAILED' });
  });
});
