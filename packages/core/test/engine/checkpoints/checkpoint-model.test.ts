import type { Checkpoints, Engine } from 'holdfast';
import { describe, expect, test } from 'vitest';
import { describeEverywhere, describeShared, memoryPlace } from '../every-place.ts';
import { CheckpointSession, type Loop } from './checkpoint-model.ts';

const seeds = Array.from({ length: Number(process.env['HOLDFAST_SEQUENCES'] ?? 4) }, (_, seed) => seed + 1);
const calls = 60;

describeEverywhere('random checkpoints', (place) => {
  test.each(seeds)('are what a plain model says, seed %i', async (seed) => {
    const here = place();
    let engine = await here.open();
    let count = 0;
    const session = new CheckpointSession(seed, async () => {
      count += 1;
      // An engine that has just been opened remembers no state.
      if (count % 9 !== 0) return engine;
      await engine.close();
      engine = await here.open();
      return engine;
    });
    await expect(session.play(calls)).resolves.toBeUndefined();
  });
});

describeShared('random checkpoints of two engines', (place) => {
  test.each(seeds)('are what a plain model says, seed %i', async (seed) => {
    const here = place();
    const engines = [await here.open(), await here.open()] as const;
    let count = 0;
    const session = new CheckpointSession(seed, async () => {
      count += 1;
      return engines[count % 3 === 0 ? 1 : 0];
    });
    await expect(session.play(calls)).resolves.toBeUndefined();
  });
});

/** Takes an object that was saved before for unchanged. */
function byReference(engine: Engine): Loop {
  const { checkpoints, journal } = engine;
  const last = new Map<unknown, unknown>();
  const save: Checkpoints['save'] = (runId, given) => {
    const known = last.get(given.state) as Record<string, unknown> | undefined;
    if (given.state !== undefined && known === undefined) last.set(given.state, structuredClone(given.state));
    return checkpoints.save(runId, known === undefined ? given : { ...given, state: known, change: undefined });
  };
  return { checkpoints: { ...checkpoints, save }, journal, verify: () => engine.verify() };
}

describe('the model finds', () => {
  test('a comparison by reference', async () => {
    const engine = await memoryPlace().open();
    const broken = byReference(engine);
    const playing = new CheckpointSession(1, async () => broken).play(calls);
    await expect(playing).rejects.toMatchObject({ code: 'ERR_ASSERTION' });
  });
});
