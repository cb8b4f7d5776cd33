// Requests of one tenant to every route of the document, about runs of its own and of another tenant.
import * as fc from 'fast-check';
import { routes } from '../../src/route/all.ts';

/** What a tenant may ask about. */
export interface Pool {
  /** Runs of the tenant, and one whose base is the other's. */
  readonly own: readonly string[];
  readonly foreign: readonly string[];
  /** Ids of questions of both. */
  readonly questions: readonly string[];
}

/** A request, and whose run its path names. */
export interface TenantRequest {
  readonly route: string;
  readonly method: string;
  readonly path: string;
  readonly body: unknown;
  readonly isForeign: boolean;
}

const tenants = ['acme', 'umbrella'];

/** Requests to these routes. Every parameter and every body of the document has to be known here. */
export function requestsTo(wanted: readonly string[], pool: Pool): fc.Arbitrary<TenantRequest> {
  return fc.oneof(...routes.filter(({ id }) => wanted.includes(id)).map((route) => requestTo(route, pool)));
}

function requestTo(
  { id, method, path, query, body }: (typeof routes)[number],
  pool: Pool,
): fc.Arbitrary<TenantRequest> {
  const names = Object.keys((query as unknown as { readonly shape: object }).shape);
  const values = Object.fromEntries(names.map((name) => [name, queryValue(id, name, pool)]));
  const required = id === 'getDiff' ? ['from', 'to'] : id === 'streamEvents' ? ['until'] : [];
  return fc
    .record({
      runId: id === 'deleteRun' ? fc.constantFrom(...pool.foreign) : eitherOf(pool),
      query: fc.record(values, { requiredKeys: required }),
      body: body === undefined ? fc.constant(undefined) : bodyOf(id, pool),
    })
    .map(({ runId, query: given, body: sent }) => ({
      route: id,
      method: method.toUpperCase(),
      path: `${path.replace('{runId}', runId).replace('{name}', 'refunds')}?${new URLSearchParams(given)}`,
      body: sent,
      isForeign: path.includes('{runId}') && pool.foreign.includes(runId),
    }));
}

function eitherOf({ own, foreign }: Pool): fc.Arbitrary<string> {
  return fc.oneof(fc.constantFrom(...own), fc.constantFrom(...foreign));
}

function placeOf(pool: Pool): fc.Arbitrary<string> {
  return fc.tuple(eitherOf(pool), fc.nat(5)).map(([id, seq]) => (seq === 0 ? id : `${id}@${seq}`));
}

function queryOf(pool: Pool): fc.Arbitrary<string> {
  const any = eitherOf(pool);
  return fc.oneof(
    fc.constantFrom('', 'umbrella', 'status:waiting', 'graph:refunds', 'parent:none'),
    fc.constantFrom(...tenants).map((tenant) => `tag:tenant=${tenant}`),
    any.chain((id) => fc.constantFrom(`parent:${id}`, `fork-of:${id}`, `id:${id}`)),
  );
}

function queryValue(route: string, name: string, pool: Pool): fc.Arbitrary<string> {
  switch (`${route}.${name}`) {
    case 'listRuns.after':
    case 'listAsks.run':
      return eitherOf(pool);
    case 'listAsks.after':
      return fc.constantFrom(...pool.questions);
    case 'getJournal.after':
    case 'streamEvents.after':
    case 'getDiff.after':
      return fc.nat(3).map(String);
    case 'listCheckpoints.before':
    case 'getState.at':
    case 'getDiff.from':
    case 'getDiff.to':
      return placeOf(pool);
    case 'listRuns.q':
    case 'countRuns.q':
      return queryOf(pool);
    case 'listAsks.graph':
      return fc.constant('refunds');
    case 'listAsks.name':
      return fc.constant('approve');
    case 'getState.path':
      return fc.constantFrom('', '/order', '/log');
    case 'getState.as':
      return fc.constantFrom('tree', 'json');
    case 'getJournal.kind':
      return fc.constantFrom('run-start', 'superstep', 'fork');
    case 'listCheckpoints.own':
      return fc.constantFrom('true', 'false');
    case 'streamEvents.until':
      return fc.constant('idle');
    case 'importRun.id':
      return fc.constant('imported');
    default:
      if (['limit', 'n', 'depth', 'tail', 'from'].includes(name)) return fc.integer({ min: 1, max: 16 }).map(String);
      throw new Error(`Say what the parameter ${name} of ${route} may be.`);
  }
}

function bodyOf(route: string, pool: Pool): fc.Arbitrary<unknown> {
  const question = fc.constantFrom(...pool.questions);
  const tags = fc.constantFrom(...tenants).map((tenant) => ({ tenant }));
  const fork = { at: placeOf(pool), set: fc.constant({ cents: 2 }) };
  const bodies: Readonly<Record<string, fc.Arbitrary<unknown>>> = {
    startRun: fc.record(
      {
        graph: fc.constant('refunds'),
        input: fc.constantFrom({ order: 'x', cents: 1 }, { order: 'secret-of-umbrella', cents: 1 }),
        id: eitherOf(pool),
        turn: fc.constant('t1'),
        tags,
      },
      { requiredKeys: ['graph', 'input'] },
    ),
    answer: fc.record(
      { name: fc.constant('approve'), value: fc.constant({ ok: true }), id: question },
      { requiredKeys: ['name', 'value'] },
    ),
    send: fc.record({ name: fc.constant('stop'), value: fc.constant({}) }),
    settle: fc.record({ key: question, outcome: fc.constant('retry') }),
    resume: fc.constant({}),
    cancel: fc.constant({}),
    fork: fc.oneof(
      fc.record({ ...fork, tags }, { requiredKeys: [] }),
      fc.record({ before: fc.constantFrom('approve', 'lookup'), resume: fc.boolean() }),
    ),
    previewFork: fc.record(fork, { requiredKeys: [] }),
    prune: fc.record({ runId: eitherOf(pool), keep: fc.constant(0), apply: fc.boolean() }, { requiredKeys: ['keep'] }),
  };
  const found = bodies[route];
  if (found === undefined) throw new Error(`Say what a body of ${route} may be.`);
  return found;
}
