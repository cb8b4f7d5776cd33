import { openEngine } from 'holdfast';
import { memoryStore } from 'holdfast/testing';
import { describe, expect, test } from 'vitest';

describe('ids of a run', () => {
  test('are all moved with it, also when there are more than fit on a page', async () => {
    const from = await openEngine(memoryStore());
    const ids = Array.from({ length: 300 }, (_, at) => `note-${at}`);
    await from.journal.append(
      'run',
      ids.map((id) => ({ id, payload: id })),
    );
    const to = await openEngine(memoryStore());
    await to.import(from.export('run'));
    expect(await to.verify()).toMatchObject({ ok: true });
    const head = (await to.runs().first())?.head;
    for (const id of ids) await to.journal.append('run', { id, payload: id });
    expect((await to.runs().first())?.head).toBe(head);
    await from.close();
    await to.close();
  });
});
