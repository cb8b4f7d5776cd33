import type { StandardSchemaV1 } from '@standard-schema/spec';
import { HoldfastError } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { graph } from '../../src/graph/graph.ts';
import { workflow } from '../../src/graph/workflow.ts';
import { describeEverywhere, turns } from '../engine/every-place.ts';

/** A schema whose validation gives this. */
function schemaOf(validate: (value: unknown) => unknown): StandardSchemaV1<unknown, unknown> {
  return { '~standard': { version: 1, vendor: 'hostile', validate: validate as never } };
}

const never = schemaOf(() => new Promise(() => undefined));

const misbehaving: readonly (readonly [what: string, result: unknown])[] = [
  ['undefined', undefined],
  ['null', null],
  ['a string', 'fine'],
  ['a promise of undefined', Promise.resolve(undefined)],
  ['issues that are no array', { issues: 'bad' }],
  ['issues that are null', { issues: null }],
  ['an issue that is null', { issues: [null] }],
  ['an issue without a message', { issues: [{}] }],
  ['an issue with a message that is no string', { issues: [{ message: { toString: 1 } }] }],
  ['an issue with a path that is no array', { issues: [{ message: 'bad', path: 'a' }] }],
  [
    'an issue with a path of symbols',
    { issues: [{ message: 'bad', path: [Symbol('s'), { key: Symbol('k') }, null] }] },
  ],
  [
    'a result that throws when it is read',
    Object.defineProperty({}, 'issues', {
      get: () => {
        throw new Error('trap');
      },
    }),
  ],
];

/** An object whose every use throws. */
const trap = (): never => {
  throw new Error('trap');
};
const trapped = new Proxy({}, { get: trap, has: trap, getPrototypeOf: trap });

/** Throws anything. */
function raise(thrown: unknown): () => never {
  return () => {
    throw thrown as Error;
  };
}

describeEverywhere('16.9 schemas that misbehave', (place) => {
  test.each(misbehaving)('one that gives %s refuses the value with a typed error', async (_, result) => {
    const engine = await place().open();
    const schema = schemaOf(() => result);
    const invalid = { code: 'HOLDFAST_INVALID_VALUE' };
    const hostile = workflow('hostile', { input: schema }, async () => 1);
    await expect(engine.start(hostile, 1)).rejects.toMatchObject(invalid);
    const state = graph('state', { state: { a: schema } })
      .node('n', () => ({}))
      .edge('start', 'n')
      .edge('n', 'end')
      .compile();
    await expect(engine.start(state, { a: 1 })).rejects.toMatchObject(invalid);
    const asking = workflow(
      'asking',
      { input: z.null(), asks: { ok: { show: z.null(), answer: schema } }, receives: { mail: schema } },
      async (__, { ask: question }) => question('ok', null),
    );
    const run = await engine.start(asking, null);
    await run.outcome();
    await expect(run.answer('ok', 1)).rejects.toMatchObject(invalid);
    await expect(run.send('mail', 1)).rejects.toMatchObject(invalid);
    expect(await run.outcome()).toMatchObject({ status: 'waiting' });
  });

  test.each<[what: string, validate: () => unknown]>([
    ['throws nothing', raise(undefined)],
    ['throws an object whose every use throws', raise(trapped)],
    ['throws an error whose message throws', raise(Object.defineProperty(new Error('x'), 'message', { get: trap }))],
    ['returns an object whose every use throws', () => trapped],
    ['rejects with one', () => Promise.reject(trapped)],
    ['returns a promise whose then throws', () => new Proxy({}, { has: () => true, get: trap })],
    ['names an endless path', () => ({ issues: [{ message: 'bad', path: ['x'.repeat(50_000_000)] }] })],
  ])('one that %s refuses the value with a typed error', async (_, validate) => {
    const engine = await place().open();
    const hostile = workflow('hostile', { input: schemaOf(validate) }, async () => 1);
    const error = await engine.start(hostile, 1).catch((thrown: unknown) => thrown);
    if (!HoldfastError.is(error, 'HOLDFAST_INVALID_VALUE')) throw error;
    expect(JSON.stringify(error.details).length).toBeLessThan(20_000);
  });

  test('a schema that never settles does not stall the worker that judges an answer', async () => {
    const here = place();
    const asking = workflow(
      'asking',
      { input: z.null(), asks: { ok: { show: z.null(), answer: schemaOf(() => new Promise(() => {})) } } },
      async (__, { ask: question }) => question('ok', null),
    );
    const first = await here.open({ graphs: [asking] });
    await (await first.start(asking, null, { id: 'r' })).outcome();
    await first.close();
    const stranger = await here.open();
    await (await stranger.get('r')).answer('ok', 1);
    await stranger.close();
    const judging = await here.open({ graphs: [asking], bounds: { validationMs: 20 } });
    await judging.recover();
    expect(await (await judging.get(asking, 'r')).outcome()).toMatchObject({ status: 'waiting' });
    const refused = [];
    for await (const { payload } of judging.journal.read('r', { kind: 'answer' })) refused.push(payload);
    expect(refused.at(-1)).toMatchObject({ refused: { code: 'HOLDFAST_TIMEOUT' } });
  });

  test('a million issues are counted, not listed', async () => {
    const engine = await place().open();
    const issues = Array.from({ length: 1_000_000 }, (_, at) => ({ message: `bad ${'x'.repeat(2_000)}`, path: [at] }));
    const hostile = workflow('hostile', { input: schemaOf(() => ({ issues })) }, async () => 1);
    const error = await engine.start(hostile, 1).catch((thrown: unknown) => thrown);
    if (!HoldfastError.is(error, 'HOLDFAST_INVALID_VALUE')) throw error;
    expect(error.message).toMatch(/and 999980 more/u);
    expect(error.message.length).toBeLessThan(20_000);
    expect(error.details['issues']).toHaveLength(21);
  });

  test('one that never settles is given up after a while, by start, answer, send and fork', async () => {
    const clock = virtualClock();
    const engine = await place().open({ clock, bounds: { validationMs: 5_000 } });
    const timeout = { code: 'HOLDFAST_TIMEOUT', details: { validationMs: 5_000 } };
    const late = async (call: Promise<unknown>): Promise<unknown> => {
      let isSettled = false;
      const settled = call
        .catch((error: unknown) => error)
        .finally(() => {
          isSettled = true;
        });
      // What is read before the check may take a store any number of turns.
      while (!isSettled) {
        await turns();
        await clock.advance(5_000);
      }
      return settled;
    };
    const hostile = workflow('hostile', { input: never }, async () => 1);
    expect(await late(engine.start(hostile, 1, { id: 'r' }))).toMatchObject(timeout);
    await expect(engine.get('r')).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
    const asking = workflow(
      'asking',
      { input: z.null(), asks: { ok: { show: z.null(), answer: never } }, receives: { mail: never } },
      async (__, { ask: question }) => question('ok', null),
    );
    const run = await engine.start(asking, null);
    await run.outcome();
    expect(await late(run.answer('ok', 1))).toMatchObject(timeout);
    expect(await late(run.send('mail', 1))).toMatchObject(timeout);
    expect(await run.outcome()).toMatchObject({ status: 'waiting' });
    const sometimes = schemaOf((value) => (value === 1 ? new Promise(() => undefined) : { value }));
    const edited = graph('edited', { state: { note: sometimes } })
      .node('only', () => ({}))
      .edge('start', 'only')
      .edge('only', 'end')
      .compile();
    const base = await engine.start(edited, { note: 0 }, { id: 'base' });
    await base.result();
    expect(await late(base.fork({ id: 'late', set: { note: 1 } }))).toMatchObject(timeout);
    await expect(engine.get('late')).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
    // Nobody else waits for that check.
    await base.fork({ id: 'next' });
  });
});
