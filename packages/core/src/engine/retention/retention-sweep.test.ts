import { describe, expect, test } from 'vitest';
import type { StoredSnapshot } from '../../store/contract/commit.ts';
import type { MemoryRun } from '../../store/memory/memory-run.ts';
import { createGraphRun, type MemoryParts, memoryParts } from '../../testing/memory-parts.ts';
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

describe('RetentionSweep', () => {
  test('prunes a few runs per slice, then the rest, then from the oldest again', async () => {
    const parts = await filled();
    const sweep = new RetentionSweep(parts, { keep: 1 });
    await sweep.slice();
    expect(left(parts)).toBe(20 + 5 * 3);
    await sweep.slice();
    expect(left(parts)).toBe(25);
    for (const id of runs) await parts.checkpoints.save(id, { state: {} });
    await sweep.slice();
    expect(left(parts)).toBe(20 + 5 * 2);
  });

  test('prunes the one run that the policy names', async () => {
    const parts = await filled();
    await new RetentionSweep(parts, { runId: 'run-03', keep: 1 }).slice();
    expect(left(parts)).toBe(24 * 3 + 1);
  });

  test('removes deleted runs that no fork needs, unless it is a dry run', async () => {
    const parts = await filled();
    await parts.store.trim({ runId: 'run-01', hide: { keepTo: 0 } });
    await new RetentionSweep(parts, { keep: 1, dryRun: true, status: ['failed'] }).slice();
    expect(parts.disk.runs.has('run-01')).toBe(true);
    await new RetentionSweep(parts, { keep: 1, status: ['failed'] }).slice();
    expect(parts.disk.runs.has('run-01')).toBe(false);
  });

  test('prunes the other runs when one is corrupt, and warns', async () => {
    const parts = memoryParts();
    await createGraphRun(parts.store, 'bad');
    const bad = parts.disk.runs.get('bad') as MemoryRun;
    bad.records = bad.records.map((record) => ({ ...record, text: 'j{}' }));
    for (const n of [1, 2]) await parts.checkpoints.save('good', { state: { n } });
    await new RetentionSweep(parts, { keep: 1 }).slice();
    expect((parts.disk.runs.get('good') as MemoryRun).snapshots.map(({ seq }: StoredSnapshot) => seq)).toEqual([2]);
    expect(parts.warnings).toEqual([expect.stringContaining('"bad"')]);
  });

  test('fails when the store does', async () => {
    const parts = await filled();
    const sweep = new RetentionSweep(parts, { keep: 1 });
    parts.driver.snapshots = () => Promise.reject(new Error('unplugged'));
    await expect(sweep.slice()).rejects.toMatchObject({ code: 'HOLDFAST_STORE_FAILED' });
  });
});
