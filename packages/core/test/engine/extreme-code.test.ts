// What code may bring that nobody expects: times beyond all dates, arrays with holes, schemas that never settle, and thrown
// values that cannot be looked at. No run is corrupt, stands still or takes its process along because of them.
import { again, graph, list, workflow } from 'holdfast';
import { virtualClock } from 'holdfast/testing';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere } from './every-place.ts';

const none = z.object({});
const forEver = Number.MAX_SAFE_INTEGER;

/** A schema that takes one value at once and never settles for any other. */
function only<T>(value: T): z.ZodType<T> {
  const validate = (given: unknown): unknown => (given === value ? { value } : new Promise(() => {}));
  return { '~standard': { version: 1, vendor: 'test', validate } } as unknown as z.ZodType<T>;
}

const failing = (retry: object) =>
  workflow('patient', { input: none }, async (_, { step }) =>
    step(
      'call',
      () => {
        throw new Error('busy');
      },
      { retry: { attempts: 2, ...retry } },
    ),
  );
const asks = { ok: z.boolean() };
const receives = { mail: z.string() };
const patient = {
  'a question': workflow('patient', { input: none, asks }, (_, { ask }) => ask('ok', { timeout: forEver })),
  'a message': workflow('patient', { input: none, receives }, (_, c) => c.receive('mail', { timeout: forEver })),
  'a sleep': workflow('patient', { input: none }, (_, { sleep }) => sleep('nap', '100000000d')),
  'a date': workflow('patient', { input: none }, (_, { sleep }) => sleep('nap', new Date(8.64e15))),
  'a backoff': failing({ backoff: forEver }),
  'a verdict of retry.on': failing({ on: () => forEver }),
  'its own timeout': workflow('patient', { input: none, asks }, (_, { ask }) => ask('ok')),
};

describeEverywhere('a run that waits for ever', (place) => {
  test.each(Object.entries(patient))('for %s can be read and cancelled', async (kind, flow) => {
    const engine = await place().open({ clock: virtualClock(new Date()), graphs: [flow] });
    const timeout = kind === 'its own timeout' ? { timeout: forEver } : {};
    const run = await engine.start(flow as (typeof patient)['a sleep'], {}, { id: 'r', ...timeout });
    await expect.poll(async () => (await run.summary()).status).toBe('waiting');
    expect(await run.state()).toEqual({});
    expect(await engine.verify()).toMatchObject({ ok: true });
    await run.cancel();
    expect((await run.outcome()).status).toBe('cancelled');
  });
});

describeEverywhere('an each over an array with holes', (place) => {
  test('has a task for every place', async () => {
    const withHole: (number | undefined)[] = [1];
    withHole[2] = 3;
    const flow = graph('holes', { state: { log: list<string>() } })
      .each(
        'item',
        () => withHole,
        (item) => ({ log: String(item) }),
      )
      .edge('start', 'item')
      .edge('item', 'end')
      .compile();
    const engine = await place().open();
    expect(await engine.start(flow, {}).result()).toEqual({ log: ['1', 'undefined', '3'] });
  });
});

describeEverywhere('a schema that never settles', (place) => {
  const flows = {
    output: workflow('slow', { input: z.number(), output: only('x') }, async () => 'y'),
    'shown value': workflow(
      'slow',
      { input: z.number(), asks: { ok: { show: only('x'), answer: z.boolean() } } },
      (_, { ask }) => ask('ok', 'y' as 'x'),
    ),
    'next input': workflow('slow', { input: only(0) }, async (n) => again(n + 1)),
    update: graph('slow', { state: { n: only(0) } })
      .node('one', () => ({ n: 1 }))
      .edge('start', 'one')
      .edge('one', 'end')
      .compile(),
  };
  test.each(Object.entries(flows))('of the %s fails the run', async (what, flow) => {
    const engine = await place().open({ bounds: { validationMs: 20 } });
    const input = what === 'update' ? { n: 0 } : 0;
    await expect(engine.start(flow as typeof flows.output, input as number).result()).rejects.toMatchObject({
      code: 'HOLDFAST_TIMEOUT',
    });
  });

  test('of a message refuses it, and the next one is received', async () => {
    const { open } = place();
    const flow = workflow('mail', { input: none, receives: { mail: only('good') } }, (_, c) => c.receive('mail'));
    const before = await open({ graphs: [flow] });
    await (await before.start(flow, {}, { id: 'r' })).outcome();
    await before.close();
    const client = await open({ executes: false });
    await client.get('r').send('mail', 'bad');
    await client.get('r').send('mail', 'good');
    await client.close();
    const engine = await open({ graphs: [flow], bounds: { validationMs: 20 } });
    engine.work();
    const run = engine.get(flow, 'r');
    expect(await run.result()).toBe('good');
    const events = await all(run.events());
    expect(events.filter(({ type }) => type === 'refused')).toMatchObject([{ error: { code: 'HOLDFAST_TIMEOUT' } }]);
  });
});

const revoked = (): unknown => {
  const { proxy, revoke } = Proxy.revocable({}, {});
  revoke();
  return proxy;
};
const gotcha = (): unknown =>
  Object.defineProperty(new Error('hidden'), 'message', {
    get: () => {
      throw new Error('gotcha');
    },
  });

describeEverywhere('a thrown value that nobody can look at', (place) => {
  test.each(['body', 'step', 'catch', 'route', 'each'])('fails the run: from a %s', async (where) => {
    const engine = await place().open();
    for (const create of [revoked, gotcha]) {
      const fail = (here: string): void => {
        if (here === where) throw create();
      };
      const flow = graph('hostile', { state: { log: list<string>() } })
        .node(
          'one',
          async ({ step }) => {
            await step('call', () => fail('step'));
            fail('body');
            if (where === 'catch') throw new Error('first');
          },
          where === 'catch' ? { catch: () => fail('catch') } : {},
        )
        .each(
          'some',
          () => {
            fail('each');
            return [];
          },
          () => ({}),
        )
        .edge('start', 'one')
        .route('one', ['some', 'end'], () => {
          fail('route');
          return 'some';
        })
        .edge('some', 'end')
        .compile();
      const failed = { message: expect.stringContaining('an error that cannot be read') };
      expect(await engine.start(flow, {}).outcome()).toMatchObject({ status: 'failed', error: failed });
    }
  });
});
