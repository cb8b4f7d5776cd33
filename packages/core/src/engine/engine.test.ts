import { describe, expect, test } from 'vitest';
import { memoryStore } from '../store/memory/open.ts';
import { openEngine } from './open.ts';

describe('openEngine()', () => {
  test('opens a memory store of its own', async () => {
    await using engine = await openEngine('memory:');
    await engine.journal.append('r', {});
    await using other = await openEngine('memory:');
    expect(await other.journal.tail('r', 1)).toEqual([]);
  });

  test('opens again a store that was closed', async () => {
    const store = memoryStore();
    const engine = await openEngine(store);
    await engine.journal.append('r', {});
    await engine.close();
    await using again = await openEngine(store);
    expect(await again.journal.tail('r', 1)).toHaveLength(1);
    expect(await again.verify()).toMatchObject({ ok: true, records: 1 });
  });

  test.each(['mongo:x', '', 'memory', '__proto__'])('refuses the address %j', async (url) => {
    await expect(openEngine(url as 'memory:')).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
  });

  test('refuses what is no store', async () => {
    await expect(openEngine({} as never)).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
  });

  test('a closed engine does nothing more', async () => {
    const engine = await openEngine('memory:');
    await engine.close();
    await engine.close();
    await expect(engine.journal.append('r', {})).rejects.toMatchObject({ code: 'HOLDFAST_STORE_CLOSED' });
    await expect(engine.checkpoints.latest('r')).rejects.toMatchObject({ code: 'HOLDFAST_STORE_CLOSED' });
  });
});
