import { type Engine, HoldfastError } from 'holdfast';
import { memoryStore } from 'holdfast/testing';
import { expect, test } from 'vitest';
import { all, clockThatTells, describeSeed, openForTest } from './every-store.ts';

const clock = clockThatTells(() => 5_000);

/** The refusal that was told, as data. */
function refused(asked: Promise<unknown>): Promise<unknown> {
  return asked.catch((error: unknown) => (HoldfastError.is(error) ? [error.code, error.details] : error));
}

/** What a store answers to one of everything, errors included. */
async function answersOf(engine: Engine): Promise<readonly unknown[]> {
  const { journal, checkpoints } = engine;
  const answers: unknown[] = [
    await journal.append('main', { id: 'mail', channel: 'input', tags: ['x'], payload: { n: 1n, at: new Date(7) } }),
    await refused(journal.append('main', { id: 'mail', payload: 'other' })),
  ];
  for (const n of [1, 2, 3, 4]) answers.push(await checkpoints.save('main', { step: 9 - n, state: { n, kept: true } }));
  answers.push(
    await checkpoints.save('main', { covers: 2, state: { n: 'narrow' }, status: 'completed' }),
    await refused(checkpoints.save('main', { covers: 99, state: {} })),
    await checkpoints.fork('main@3', { id: 'twig', set: { n: 'edited' } }),
    await refused(checkpoints.fork('main@3', { id: 'twig' })),
    await checkpoints.latest('main'),
    await checkpoints.latest('twig'),
    await checkpoints.atOrBefore('main@2'),
    await checkpoints.atStep('main', 6),
    await all(checkpoints.list('twig')),
    await journal.tail('twig', 3),
    await all(journal.read('main', { tag: 'x' })),
  );
  const { bytes, ...pruned } = await checkpoints.prune('main', { keep: 1, keepLatestTerminal: true });
  answers.push(pruned, bytes > 0, await all(checkpoints.list('main')), await checkpoints.load('twig@3'));
  answers.push(await checkpoints.delete('main'), await checkpoints.latest('main'), await checkpoints.latest('twig'));
  return [...answers, (await engine.verify()).ok];
}

describeSeed('002', ({ fresh, store }) => {
  test('every store gives the same answers to the same calls', async () => {
    const answers = await answersOf(await fresh({ clock }));
    expect(answers).toEqual(await answersOf(await openForTest(memoryStore(), { clock })));
    expect(answers).toContainEqual(expect.objectContaining({ id: 'twig@4', state: { n: 'edited', kept: true } }));
    expect(answers.at(-1)).toBe(true);
  });

  test('every store has everything again when it is opened again', async () => {
    const place = store();
    const before = await openForTest(place, { clock });
    const cursor = await before.journal.append('main', { payload: 'kept' });
    await before.checkpoints.save('main', { state: { n: 1 } });
    const all = [await before.journal.tail('main', 9), await before.checkpoints.latest('main')];
    await before.close();
    const after = await openForTest(place, { clock });
    expect([await after.journal.tail('main', 9), await after.checkpoints.latest('main')]).toEqual(all);
    expect(await after.checkpoints.latest('main')).toMatchObject({ covers: 1, state: { n: 1 } });
    expect(cursor).toBe('main@1');
  });
});
