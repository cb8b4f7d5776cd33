import { graph, list } from 'holdfast';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { describeEverywhere, type Place } from './every-place.ts';

/** Waits for an answer and a message, which the second version calls otherwise. */
function shipping(version: 1 | 2) {
  const message = version === 1 ? 'paid' : 'settled';
  return graph('shipping', {
    state: { log: list<string>() },
    asks: { ok: z.boolean() },
    receives: { [message]: z.string(), cancelled: z.string() },
    version,
    ...(version === 2 && { migrate: { 1: { steps: { paid: 'settled' } } } }),
  })
    .node('waits', async ({ ask, receive }) => {
      const [, first] = await Promise.all([ask('ok'), receive([message, 'cancelled'])]);
      const second = await receive(message);
      return { log: [`${first?.name} ${first?.value}`, second] };
    })
    .edge('start', 'waits')
    .edge('waits', 'end')
    .compile();
}

const [first, second] = [shipping(1), shipping(2)];

/** A run of the first version that waits. `received`: it has taken one message already. */
async function waiting(here: Place): Promise<void> {
  const engine = await here.open();
  await engine.start(first, {}, { id: 'r' }).outcome();
  await engine.close();
}

/** Somebody who executes nothing, with this code or with none, sends a message. */
async function send(here: Place, code: typeof first | undefined, name: string, value: string): Promise<void> {
  const client = await here.open({ executes: false });
  const run = code === undefined ? client.get('r') : client.get(code, 'r');
  await run.send(name as never, value, { id: value });
  // The same again is the same, whatever the message is called by now.
  await run.send(name as never, value, { id: value });
  await client.close();
}

/** The new code executes the run until it waits. */
async function execute(here: Place, answers = false): Promise<unknown> {
  const engine = await here.open({ graphs: [second] });
  const run = engine.get(second, 'r');
  if (answers) await run.answer('ok', true);
  await engine.recover();
  const outcome = await run.outcome();
  await engine.close();
  return outcome.status === 'completed' ? outcome.output : outcome.status;
}

const senders = [
  { by: 'the old code', code: first, name: 'paid' },
  { by: 'the new code', code: second, name: 'settled' },
  { by: 'the new code, under its old name', code: second, name: 'paid' },
  { by: 'nobody\u2019s code, under its old name', code: undefined, name: 'paid' },
];

describeEverywhere('a message that a migration renames', (place) => {
  test.each(senders)('is received when $by sent it before the migration', async ({ code, name }) => {
    const here = place();
    await waiting(here);
    await send(here, code, name, 'one');
    await send(here, code, name, 'two');
    expect(await execute(here)).toBe('waiting');
    expect(await execute(here, true)).toEqual({ log: ['settled one', 'two'] });
  });

  test.each(senders)('is received when $by sent it after the migration', async ({ code, name }) => {
    const here = place();
    await waiting(here);
    expect(await execute(here, true)).toBe('waiting');
    await send(here, code, name, 'one');
    expect(await execute(here)).toBe('waiting');
    await send(here, code, name, 'two');
    expect(await execute(here)).toEqual({ log: ['settled one', 'two'] });
  });

  test('keeps its place among others, and its new name where it was received before', async () => {
    const here = place();
    const before = await here.open({ graphs: [first] });
    const run = await before.start(first, {}, { id: 'r' });
    await run.outcome();
    await run.send('paid', 'one');
    // Received, and its node still waits for the answer.
    await run.outcome();
    await run.send('cancelled', 'other');
    await run.send('paid', 'two');
    await before.close();
    expect(await execute(here, true)).toEqual({ log: ['settled one', 'two'] });
  });

  test('does not wake a run that waits for another message', async () => {
    const here = place();
    await waiting(here);
    expect(await execute(here, true)).toBe('waiting');
    await send(here, undefined, 'paid', 'one');
    await execute(here);
    await send(here, undefined, 'unknown', 'other');
    const engine = await here.open({ graphs: [second] });
    expect(await engine.get('r').summary()).toMatchObject({ status: 'waiting', wakeAt: null });
  });
});
