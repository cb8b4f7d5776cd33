// Every route of the OpenAPI document with whatever comes: no crash, no 500, and answers as the document says.
import * as fc from 'fast-check';
import { expect } from 'vitest';
import { z } from 'zod';
import { routes } from '../src/route/all.ts';
import { errorSchema } from '../src/schema/command.ts';
import { testEverywhere } from './every-store.ts';
import { refunds, served, ticker } from './fixture.ts';

interface Parameter {
  readonly name: string;
  readonly required: boolean;
  readonly in: 'path' | 'query';
  readonly schema: { readonly type?: string; readonly enum?: readonly string[] };
}
interface Operation {
  readonly operationId: string;
  readonly parameters: readonly Parameter[];
  readonly requestBody?: { readonly content: { readonly 'application/json': { readonly schema: object } } };
}
interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
}

const known = ['r', 't', 'f', 'r@1', 'r@3', 't@2', 'nope', 'nope@1', 'loop', 'loop@1'];
const nasty = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...known) },
  { weight: 2, arbitrary: fc.string({ maxLength: 40 }) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      '',
      '0',
      '-1',
      '1e9',
      '999999999999999',
      '__proto__',
      '../x',
      '\0',
      '\u202e',
      "' OR 1=1",
      'status:',
      '/',
      '@',
      '@@1',
      'r@99999999999999999',
      '%00',
      '"',
    ),
  },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 200 }) },
);

function parameterValue({ schema, name }: Parameter): fc.Arbitrary<string> {
  if (schema.type === 'integer') return fc.oneof(fc.nat(300).map(String), nasty);
  if (schema.enum !== undefined) return fc.oneof(fc.constantFrom(...schema.enum), nasty);
  if (name === 'q')
    return fc.oneof(
      fc.constantFrom('status:waiting', 'tag:a=b', 'tag:a', '"t"', 'age>1s', 'age<1d', 'node:approve'),
      nasty,
    );
  if (name === 'from' || name === 'to') return fc.oneof(fc.constantFrom('r', 'r@1', 't', 'f'), nasty);
  if (name === 'name') return fc.oneof(fc.constant('refunds'), nasty);
  if (name === 'path') return fc.oneof(fc.constantFrom('', '/log', '/log/0', '/customer', '/'), nasty);
  return nasty;
}

/** What is deleted is missed by all the requests after it. */
function valueOf({ operationId }: Operation, parameter: Parameter): fc.Arbitrary<string> {
  const own = parameterValue(parameter);
  const value =
    parameter.name === 'runId' ? fc.oneof({ weight: 2, arbitrary: fc.constantFrom('r', 't', 'f') }, own) : own;
  return operationId === 'deleteRun' ? value.filter((id) => !known.includes(id) || id === 'nope') : value;
}

/** Requests that are right, for some of them. */
const right: Readonly<Record<string, unknown>> = {
  startRun: { graph: 'refunds', input: { order: 'o', cents: 1 } },
  send: { name: 'stop', value: {} },
  fork: {},
  previewFork: { set: { cents: 2 } },
  resume: {},
  cancel: {},
  prune: { keep: 1 },
};

const bodies: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  startRun: fc.record(
    {
      graph: fc.constantFrom('refunds', 'ticker', 'nope'),
      input: fc.oneof(fc.jsonValue(), fc.constant({ order: 'o', cents: 1 }), fc.constant({ count: 1 })),
      id: nasty,
      turn: nasty,
      tags: fc.dictionary(nasty, nasty, { maxKeys: 3 }),
    },
    { requiredKeys: ['graph', 'input'] },
  ),
  answer: fc.record({ name: fc.oneof(fc.constant('approve'), nasty), value: fc.jsonValue() }),
  send: fc.record({ name: fc.oneof(fc.constant('stop'), nasty), value: fc.jsonValue(), id: nasty }),
  settle: fc.record({ key: nasty, outcome: fc.oneof(fc.constant('retry'), fc.jsonValue()) }),
  fork: fc.record(
    {
      at: nasty,
      before: nasty,
      set: fc.dictionary(nasty, fc.jsonValue()),
      next: fc.array(nasty),
      id: nasty,
      label: nasty,
      resume: fc.boolean(),
    },
    { requiredKeys: [] },
  ),
  previewFork: fc.record(
    { at: nasty, set: fc.dictionary(nasty, fc.jsonValue()), next: fc.array(nasty) },
    { requiredKeys: [] },
  ),
  resume: fc.record({ maxSupersteps: fc.integer(), accept: nasty }, { requiredKeys: [] }),
  cancel: fc.record({ reason: nasty }, { requiredKeys: [] }),
  prune: fc.record(
    { runId: nasty, keep: fc.integer(), before: fc.integer(), olderThan: nasty, apply: fc.boolean() },
    { requiredKeys: [] },
  ),
};

testEverywhere('no request crashes the server, and every answer is one of the document', async () => {
  const unexpected: unknown[] = [];
  const here = await served({ observe: (event) => event.type === 'error' && unexpected.push(event.error) });
  await here.engine.start(refunds, { order: 'o', cents: 1 }, { id: 'r' }).outcome();
  await here.engine.start(ticker, { count: 6, stays: true }, { id: 't' }).outcome();
  await here.engine.get('r').fork({ id: 'f' });
  await here.engine.journal.append('loop', { payload: { a: 1 } });
  const document = (await here.ask('GET', '/openapi.json')).body as Document;
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  expect(operations.map(({ operation }) => operation.operationId).toSorted()).toEqual(
    routes.map(({ id }) => id).toSorted(),
  );
  const request = fc
    .constantFrom(...operations)
    .chain(({ path, method, operation }) =>
      fc
        .tuple(
          fc.tuple(...operation.parameters.map((each) => valueOf(operation, each))),
          fc.array(fc.nat(4), { minLength: 10, maxLength: 10 }),
          operation.requestBody === undefined
            ? fc.constant(undefined)
            : fc.oneof(
                { weight: 3, arbitrary: bodies[operation.operationId] ?? fc.jsonValue() },
                { weight: 2, arbitrary: fc.constant(right[operation.operationId]) },
                { weight: 1, arbitrary: fc.jsonValue() },
              ),
        )
        .map(([values, wanted, body]) => ({ path, method, operation, values, wanted, body })),
    );
  const statuses = new Map<string, Set<number>>();
  await fc.assert(
    fc.asyncProperty(request, async ({ path, method, operation, values, wanted, body }) => {
      let target = path.slice('/api/v1'.length);
      const query = new URLSearchParams();
      operation.parameters.forEach(({ name, in: where, required }, at) => {
        const value = values[at] as string;
        if (where === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value));
        else if (required || wanted[at % 10] === 0) query.set(name, value);
      });
      // A stream of a run that waits would never end.
      if (operation.operationId === 'streamEvents') query.set('until', 'idle');
      const answer = await here.ask(method.toUpperCase(), `${target}?${query}`, body);
      const seen = statuses.get(operation.operationId) ?? new Set();
      statuses.set(operation.operationId, seen.add(answer.status));
      expect([operation.operationId, target, String(query), body, answer.status, unexpected]).toEqual([
        operation.operationId,
        target,
        String(query),
        body,
        expect.toSatisfy((status: number) => status !== 500),
        [],
      ]);
      const route = routes.find(({ id }) => id === operation.operationId);
      // A path that a parameter emptied may be another route's.
      if (route === undefined || target.includes('//') || target.endsWith('/') || /\/\.{1,2}(?:\/|$)/u.test(target))
        return;
      if (answer.status >= 400) errorSchema.parse(answer.body);
      else if (route.response instanceof z.ZodType && !values.includes('count')) route.response.parse(answer.body);
    }),
    { numRuns: 800 },
  );
  // Each was answered, not only refused.
  const never = [...statuses].filter(([, seen]) => ![...seen].some((status) => status < 400)).map(([id]) => id);
  expect(never.filter((id) => !['settle', 'deleteRun', 'answer', 'send', 'importRun'].includes(id))).toEqual([]);
});
