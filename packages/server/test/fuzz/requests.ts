// Requests to every operation of an OpenAPI document: right ones, wrong ones, and whatever comes.
import * as fc from 'fast-check';

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
/** As far as we read it. */
export interface Document {
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
  answer: { name: 'approve', value: { ok: true } },
  send: { name: 'stop', value: {} },
  fork: {},
  previewFork: { set: { cents: 2 } },
  resume: {},
  cancel: {},
  prune: { keep: 1 },
};

/** Also larger than a record can hold. */
const numbers = fc.oneof(fc.integer(), fc.maxSafeInteger(), fc.constant(2 ** 53 - 1));

const bodies: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
  startRun: fc.record(
    {
      graph: fc.constantFrom('refunds', 'ticker', 'nope'),
      input: fc.oneof(fc.jsonValue(), fc.constant({ order: 'o', cents: 1 }), fc.constant({ count: 1 })),
      id: nasty,
      turn: nasty,
      tags: fc.dictionary(nasty, nasty, { maxKeys: 3 }),
      maxSupersteps: numbers,
      timeout: fc.constantFrom('0s', '5s', '1h', '99999999d', '999999999999ms', '1e3s'),
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
  resume: fc.record({ maxSupersteps: numbers, accept: nasty }, { requiredKeys: [] }),
  cancel: fc.record({ reason: nasty }, { requiredKeys: [] }),
  prune: fc.record(
    { runId: nasty, keep: fc.integer(), before: fc.integer(), olderThan: nasty, apply: fc.boolean() },
    { requiredKeys: [] },
  ),
};

/** A request, before it is written. */
export interface FuzzRequest {
  readonly id: string;
  readonly method: string;
  readonly target: string;
  readonly query: string;
  readonly body: unknown;
  /** Not so if a parameter made another path of it. */
  readonly isForItsRoute: boolean;
}

/** The operations of a document, by id. */
export function operationsOf({ paths }: Document): readonly string[] {
  return Object.values(paths).flatMap((methods) => Object.values(methods).map(({ operationId }) => operationId));
}

/** Requests to these operations. */
export function requestsOf(document: Document, wanted: readonly string[]): fc.Arbitrary<FuzzRequest> {
  const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
  );
  return fc
    .constantFrom(...operations.filter(({ operation }) => wanted.includes(operation.operationId)))
    .chain(({ path, method, operation }) =>
      fc
        .tuple(
          fc.tuple(...operation.parameters.map((each) => valueOf(operation, each))),
          fc.array(fc.nat(4), { minLength: 10, maxLength: 10 }),
          operation.requestBody === undefined ? fc.constant(undefined) : bodyOf(operation),
        )
        .map(([values, given, body]) => written({ path, method, operation, values, given, body })),
    );
}

function bodyOf({ operationId }: Operation): fc.Arbitrary<unknown> {
  return fc.oneof(
    { weight: 3, arbitrary: bodies[operationId] ?? fc.jsonValue() },
    { weight: 2, arbitrary: fc.constant(right[operationId]) },
    { weight: 1, arbitrary: fc.jsonValue() },
  );
}

interface Drawn {
  readonly path: string;
  readonly method: string;
  readonly operation: Operation;
  readonly values: readonly string[];
  /** Which of the parameters that need not be given are given. */
  readonly given: readonly number[];
  readonly body: unknown;
}

function written({ path, method, operation, values, given, body }: Drawn): FuzzRequest {
  let target = path.slice('/api/v1'.length);
  const query = new URLSearchParams();
  operation.parameters.forEach(({ name, in: where, required }, at) => {
    const value = values[at] as string;
    if (where === 'path') target = target.replace(`{${name}}`, () => encodeURIComponent(value));
    else if (where === 'query' && (required || given[at % 10] === 0)) query.set(name, value);
  });
  if (given[9] === 1) query.set('no-such-parameter', '1');
  // A stream of a run that waits would never end.
  if (operation.operationId === 'streamEvents') query.set('until', 'idle');
  const isOther = target.includes('//') || target.endsWith('/') || /\/\.{1,2}(?:\/|$)/u.test(target);
  return {
    id: operation.operationId,
    method: method.toUpperCase(),
    target,
    query: String(query),
    body,
    isForItsRoute: !isOther && !values.includes('count'),
  };
}
