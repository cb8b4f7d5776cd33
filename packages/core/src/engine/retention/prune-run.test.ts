import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { counter } from '../../channel/counter.ts';
import { nodeEnv } from '../../env/node-env.ts';
import { graph } from '../../graph/graph.ts';
import type { TrimPlan } from '../../store/contract/retention.ts';
import { MemoryDriver } from '../../store/memory/driver.ts';
import { MemoryPlace } from '../../store/memory/memory-place.ts';
import type { MemoryRun } from '../../store/memory/memory-run.ts';
import { defineStore } from '../../store/store.ts';
import type { Engine } from '../engine.ts';
import { openEngine } from '../open.ts';

const steps = 8;
const count = graph('count', { state: { n: counter() } })
  .node('next', () => ({ n: 1 }))
  .edge('start', 'next')
  .route('next', ['next', 'end'], ({ n }) => (n < steps ? 'next' : 'end'))
  .compile();

interface Opened {
  readonly engine: Engine;
  readonly driver: MemoryDriver;
  readonly disk: MemoryPlace;
}

/** An engine with one graph run that has ended. */
async function opened(): Promise<Opened> {
  const disk = new MemoryPlace();
  const driver = new MemoryDriver(disk, nodeEnv);
  const engine = await openEngine(defineStore(async () => driver));
  onTestFinished(() => engine.close());
  await (await engine.start(count, {}, { id: 'run' })).outcome();
  return { engine, driver, disk };
}

/** Does every plan in pieces: the first ones only check it. */
function inPieces(driver: MemoryDriver, pieces: number): TrimPlan[] {
  const plans: TrimPlan[] = [];
  const trim = driver.trim.bind(driver);
  vi.spyOn(driver, 'trim').mockImplementation(async (plan) => {
    plans.push(plan);
    const isLast = plan.dryRun === true || plans.length % pieces === 0;
    const piece = await trim(isLast ? plan : { ...plan, dryRun: true });
    return piece.ok && !isLast ? { ok: true, records: 0, snapshots: 0, bytes: 0, more: true } : piece;
  });
  return plans;
}

describe('pruning a graph run', () => {
  test('takes as many pieces as the store needs', async () => {
    const { engine, driver, disk } = await opened();
    const plans = inPieces(driver, 4);
    const dry = await engine.prune({ runId: 'run', keep: 3, dryRun: true });
    plans.length = 0;
    const report = await engine.prune({ runId: 'run', keep: 3 });
    expect(report).toEqual(dry);
    expect(report).toMatchObject({ runs: 1, pruned: 6, retained: 3 });
    expect(new Set(plans.map(({ floor }) => floor)).size).toBe(1);
    expect(plans).toHaveLength(4);
    expect(disk.runs.get('run')?.floor).toBe(plans[0]?.floor);
  });

  test('removes what an interrupted trim left below the floor', async () => {
    const { engine, driver, disk } = await opened();
    await engine.prune({ runId: 'run', keep: 3 });
    const { floor } = disk.runs.get('run') as MemoryRun;
    const trim = vi.spyOn(driver, 'trim');
    trim.mockResolvedValueOnce({ ok: true, records: 2, snapshots: 0, bytes: 70, more: true });
    expect(await engine.prune({ runId: 'run', keep: 3 })).toMatchObject({ pruned: 0, retained: 3, bytes: 70 });
    expect(trim.mock.calls.map(([plan]) => plan.floor)).toEqual([floor, floor]);
  });

  test('does not fail because nothing can be removed below the floor', async () => {
    const { engine, driver } = await opened();
    await engine.prune({ runId: 'run', keep: 3 });
    vi.spyOn(driver, 'trim').mockResolvedValue({ ok: false, why: 'floor' });
    expect(await engine.prune({ runId: 'run', keep: 3 })).toMatchObject({ pruned: 0, bytes: 0 });
  });

  test('plans again when the run was forked in between', async () => {
    const { engine, driver } = await opened();
    const trim = driver.trim.bind(driver);
    vi.spyOn(driver, 'trim').mockImplementationOnce(async (plan) => {
      await (await engine.get('run')).fork({ at: 'run@3', id: 'fork' });
      return trim(plan);
    });
    expect(await engine.prune({ runId: 'run', keep: 1 })).toMatchObject({
      pruned: 2,
      protectedBy: [{ checkpoint: 'run@3', because: 'fork' }],
    });
  });

  test('gives up with HOLDFAST_CONFLICT when every plan is refused', async () => {
    const { engine, driver } = await opened();
    const trim = vi.spyOn(driver, 'trim').mockResolvedValue({ ok: false, why: 'forks' });
    const pruning = engine.prune({ runId: 'run', keep: 1 });
    await expect(pruning).rejects.toMatchObject({ code: 'HOLDFAST_CONFLICT', details: { runId: 'run' } });
    expect(trim.mock.calls.length).toBeLessThanOrEqual(20);
  });
});

test('engine.prune() and checkpoints.prune() treat a journal run alike', async () => {
  const { engine } = await opened();
  for (const id of ['a', 'b']) for (const n of [1, 2, 3]) await engine.checkpoints.save(id, { state: { n } });
  const report = await engine.prune({ runId: 'a', keep: 1 });
  expect(report).toMatchObject({ runs: 1, pruned: 2, retained: 1 });
  // Times and random stamps differ in length.
  expect(await engine.checkpoints.prune('b', { keep: 1 })).toEqual({ ...report, bytes: expect.any(Number) as number });
});

test('delete() ends although two runs are each other’s child', async () => {
  const { engine, disk } = await opened();
  await engine.journal.append('other', {});
  const [run, other] = ['run', 'other'].map((id) => disk.runs.get(id) as MemoryRun) as [MemoryRun, MemoryRun];
  Object.assign(run, { fixed: { ...run.fixed, parentId: 'other' } });
  Object.assign(other, { fixed: { ...other.fixed, parentId: 'run' } });
  expect(await engine.delete('run')).toBe(true);
  expect([...disk.runs.keys()]).toEqual([]);
});
