import { type Engine, HoldfastError } from 'holdfast';
import { memoryStore } from 'holdfast/testing';
import { expect, test } from 'vitest';
import { all, clockThatTells, describeSeed, openForTest } from './every-store.ts';

const clock = clockThatTells(() => 5_000);

/** One of everything that is about checkpoints and journals. */
const calls: readonly ((engine: Engine) => Promise<unknown>)[] = [
  ({ journal }) => journal.append('main', { id: 'mail', channel: 'input', tags: ['x'], payload: [1n, new Date(7)] }),
  ({ journal }) => journal.append('main', { id: 'mail', payload: 'other' }),
  ...[1, 2, 3, 4].map(
    (n) =>
      ({ checkpoints }: Engine) =>
        checkpoints.save('main', { step: 9 - n, state: { n } }),
  ),
  ({ checkpoints }) => checkpoints.save('main', { covers: 2, state: { n: 'narrow' }, status: 'completed' }),
  ({ checkpoints }) => checkpoints.save('main', { covers: 99, state: {} }),
  ({ checkpoints }) => checkpoints.fork('main@3', { id: 'twig', set: { n: 'edited' } }),
  ({ checkpoints }) => checkpoints.fork('main@3', { id: 'twig' }),
  ({ checkpoints }) => checkpoints.latest('main'),
  ({ checkpoints }) => checkpoints.latest('twig'),
  ({ checkpoints }) => checkpoints.atOrBefore('main@2'),
  ({ checkpoints }) => checkpoints.atStep('main', 6),
  ({ checkpoints }) => all(checkpoints.list('twig')),
  ({ journal }) => journal.tail('twig', 3),
  ({ journal }) => all(journal.read('main', { tag: 'x' })),
  async ({ checkpoints }) => {
    const { bytes, ...pruned } = await checkpoints.prune('main', { keep: 1, keepLatestTerminal: true });
    return [bytes > 0, pruned];
  },
  ({ checkpoints }) => all(checkpoints.list('main')),
  ({ checkpoints }) => checkpoints.load('twig@3'),
  ({ checkpoints }) => checkpoints.delete('main'),
  ({ checkpoints }) => checkpoints.latest('main'),
  ({ checkpoints }) => checkpoints.latest('twig'),
];

/** What a store answers; a refusal is an answer too. */
async function answersOf(engine: Engine): Promise<readonly unknown[]> {
  const answers: unknown[] = [];
  for (const call of calls) {
    const answer = call(engine).catch((error: unknown) => {
      if (HoldfastError.is(error)) return [error.code, error.details];
      throw error;
    });
    answers.push(await answer);
  }
  return answers;
}

describeSeed('002', ({ fresh, store }) => {
  test('every store gives the same answers to the same calls', async () => {
    const answers = await answersOf(await fresh({ clock }));
    expect(answers).toEqual(await answersOf(await openForTest(memoryStore(), { clock })));
    expect(answers.at(-1)).toMatchObject({ id: 'twig@4', state: { n: 'edited' } });
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
