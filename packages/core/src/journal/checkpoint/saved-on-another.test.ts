import { openEngine } from 'holdfast';
import { faultyStore, memoryStore } from 'holdfast/testing';
import { describe, expect, test } from 'vitest';

describe('a checkpoint that is saved on another', () => {
  test('names its base by its alias', async () => {
    const engine = await openEngine(memoryStore());
    const first = await engine.checkpoints.save('run', { id: 'first', state: { n: 1 } });
    await engine.checkpoints.save('run', { state: { n: 2 } });
    await engine.checkpoints.save('run', { base: 'run@first', state: { n: 3 } });
    expect(await engine.checkpoints.latest('run')).toMatchObject({ parentId: first.id, state: { n: 3 } });
    await engine.close();
  });

  test('is refused where the one before cannot be read for lack of its key', async () => {
    const store = memoryStore();
    const key = { id: 'k', key: new Uint8Array(32).fill(7) };
    const writer = await openEngine(store, { encryption: { keys: [key] } });
    await writer.checkpoints.save('run', { state: { n: 1 } });
    await writer.close();
    const blind = await openEngine(store);
    await expect(blind.checkpoints.save('run', { state: { n: 2 } })).rejects.toMatchObject({
      code: 'HOLDFAST_MISSING_KEY',
    });
    await blind.close();
  });
});

describe('a checkpoint that cannot be compared with the one before', () => {
  test('is not saved: the store has failed', async () => {
    const inside = memoryStore();
    const writer = await openEngine(inside);
    await writer.checkpoints.save('run', { state: { n: 1 } });
    await writer.close();
    let reads = 0;
    const failing = faultyStore(inside, ({ method }) => {
      if (method === 'snapshots') reads += 1;
      return method === 'snapshots' && reads > 1 ? 'none' : undefined;
    });
    const engine = await openEngine(failing);
    await expect(engine.checkpoints.save('run', { state: { n: 2 } })).rejects.toMatchObject({
      code: 'HOLDFAST_STORE_FAILED',
    });
    expect(reads).toBeGreaterThan(1);
    await engine.close();
  });
});

describe('checkpoints.prune()', () => {
  test('refuses a value of records that is neither true nor false', async () => {
    const engine = await openEngine(memoryStore());
    await engine.checkpoints.save('run', { state: {} });
    await expect(engine.checkpoints.prune('run', { keep: 1, records: 'yes' as never })).rejects.toMatchObject({
      code: 'HOLDFAST_INVALID_OPTION',
    });
    await engine.close();
  });
});
