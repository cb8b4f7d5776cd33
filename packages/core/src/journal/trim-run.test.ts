import { describe, expect, test, vi } from 'vitest';
import type { TrimResult } from '../store/contract/retention.ts';
import { create, notes } from '../testing/contract/given.ts';
import { type MemoryParts, memoryParts } from '../testing/memory-parts.ts';
import { trimByDecision, trimRun } from './trim-run.ts';

const piece: TrimResult = { ok: true, records: 2, snapshots: 1, bytes: 30, more: true };

async function oneRun(): Promise<MemoryParts> {
  const parts = memoryParts();
  await create(parts.store, 'run', { entries: notes(2) });
  return parts;
}

describe('trimRun()', () => {
  test('repeats the same plan until it is done, and sums the counts', async () => {
    const parts = await oneRun();
    const trim = vi.spyOn(parts.driver, 'trim').mockResolvedValueOnce(piece).mockResolvedValueOnce(piece);
    const trimmed = await trimRun(parts, { runId: 'run', remove: true });
    expect(trimmed).toMatchObject({ ok: true, records: 6, snapshots: 2 });
    expect(trim.mock.calls.map(([plan]) => plan.remove)).toEqual([true, true, true]);
    expect(parts.disk.runs.size).toBe(0);
  });

  test('lets other work run between two pieces', async () => {
    const parts = await oneRun();
    const trim = vi.spyOn(parts.driver, 'trim').mockResolvedValueOnce(piece);
    let piecesBefore = 0;
    parts.env.nextTick(() => {
      piecesBefore = trim.mock.calls.length;
    });
    await trimRun(parts, { runId: 'run', remove: true });
    expect(piecesBefore).toBe(1);
  });

  test('is done when someone else removed the rest', async () => {
    const parts = await oneRun();
    vi.spyOn(parts.driver, 'trim').mockResolvedValueOnce(piece).mockResolvedValueOnce({ ok: false, why: 'missing' });
    const trimmed = await trimRun(parts, { runId: 'run', remove: true });
    expect(trimmed).toEqual({ ok: true, records: 2, snapshots: 1, bytes: 30 });
  });

  test('asks once for a dry run', async () => {
    const parts = await oneRun();
    vi.spyOn(parts.driver, 'trim').mockResolvedValue(piece);
    expect(await trimRun(parts, { runId: 'run', remove: true, dryRun: true })).toMatchObject({ records: 2 });
  });

  test.each(['missing', 'forks', 'floor'] as const)('passes on the refusal %s', async (why) => {
    const parts = await oneRun();
    vi.spyOn(parts.driver, 'trim').mockResolvedValue({ ok: false, why });
    expect(await trimRun(parts, { runId: 'run', remove: true })).toEqual({ ok: false, why });
  });
});

describe('trimByDecision()', () => {
  test('decides again after a refusal, also of a later piece', async () => {
    const parts = await oneRun();
    vi.spyOn(parts.driver, 'trim').mockResolvedValueOnce(piece).mockResolvedValueOnce({ ok: false, why: 'forks' });
    const decisions: number[] = [];
    const records = await trimByDecision(parts, 'run', async (tries) => {
      decisions.push(tries);
      return { trim: { remove: true }, answer: (bytes) => bytes > 0 };
    });
    expect({ decisions, records }).toEqual({ decisions: [0, 1], records: true });
  });
});
