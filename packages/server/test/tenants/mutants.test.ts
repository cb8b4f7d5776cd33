// Rule 0: the property over all routes has to notice every scope that is dropped. Here each route loses each part of its scope.

import * as fc from 'fast-check';
import { type Engine, graph, type Store } from 'holdfast';
import { memoryStore } from 'holdfast/testing';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { apiWith } from '../../src/api.ts';
import type { Caller } from '../../src/caller/caller.ts';
import { Scope } from '../../src/caller/scope.ts';
import { routes } from '../../src/route/all.ts';
import { graphs, openHere } from '../fixture.ts';
import { faultIn } from './judge.ts';
import { type Pool, requestsTo, type TenantRequest } from './requests.ts';
import { fillBoth } from './scene.ts';

/** It asks in a node that the server's graph of that name does not have. */
const olderRefunds = graph('refunds', {
  state: { note: z.string().default('') },
  asks: { gone: { show: z.null(), answer: z.null() } },
})
  .node('manual', async ({ ask }) => {
    await ask('gone', null);
    return {};
  })
  .edge('start', 'manual')
  .edge('manual', 'end')
  .compile();

const parts = ['tags', 'isBound', 'query', 'tagsWith', 'run', 'find', 'seen', 'place', 'floor'] as const;
type Part = (typeof parts)[number];

/** A part of the scope that is not there on one route. */
interface Mutant {
  readonly route: string;
  readonly part: Part;
}

/** A scope that tells which of its parts are used, and one of them may be missing. */
function scopeOf(engine: Engine, caller: Caller, missing: Part | undefined, onUse: (part: Part) => void): Scope {
  const [bound, free] = [new Scope(engine, caller), new Scope(engine, { scope: undefined })];
  return new Proxy(bound, {
    get(_, name) {
      const part = parts.find((each) => each === name);
      if (part !== undefined) onUse(part);
      const from = part !== undefined && part === missing ? free : bound;
      const value: unknown = Reflect.get(from, name, from);
      if (part === 'place' && part === missing) return async (cursor: string) => cursor;
      return typeof value === 'function' ? (value.bind(from) as unknown) : value;
    },
  });
}

/** Runs of both tenants that the code of the server could not continue. */
async function strandBoth(store: Store): Promise<void> {
  const engine = await openHere({ graphs: [olderRefunds] }, store);
  for (const tenant of ['acme', 'umbrella'])
    await engine.start(olderRefunds, {}, { id: `${tenant}-older`, tags: { tenant } }).outcome();
}

interface Tried {
  readonly fault: string | undefined;
  readonly used: ReadonlySet<Part>;
}

/** Asks one route as acme, until something is wrong. */
async function tryRoute(route: string, missing: Part | undefined, numRuns = 200): Promise<Tried> {
  const store = memoryStore();
  const engine = await openHere({}, store);
  const pool: Pool = await fillBoth(engine);
  await strandBoth(store);
  const before = JSON.stringify(await engine.runs({ tags: { tenant: 'umbrella' } }).toArray());
  const used = new Set<Part>();
  const options = { graphs, authorize: () => ({ by: 'acme', scope: { tenant: 'acme' }, admin: true }) };
  const server = apiWith(engine, options, {
    scopeOf: (of, caller) => scopeOf(of, caller, missing, (part) => used.add(part)),
  });
  const ask = async ({ method, path, body }: TenantRequest) => {
    const response = await server.fetch(
      new Request(`http://localhost/api/v1${path}`, {
        method,
        ...(method === 'POST' && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) }),
      }),
    );
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, body: isJson ? (JSON.parse(text) as unknown) : text };
  };
  let fault: string | undefined;
  await fc.check(
    fc.asyncProperty(requestsTo([route], pool), async (request) => {
      fault = await faultIn(engine, request, await ask(request));
      return fault === undefined;
    }),
    { numRuns, endOnFailure: true },
  );
  const after = JSON.stringify(await engine.runs({ tags: { tenant: 'umbrella' } }).toArray());
  return { fault: fault ?? (after === before ? undefined : 'changed runs of someone else'), used };
}

/** Parts whose loss shows nothing on this route, and why. */
const harmless: readonly (Mutant & { readonly because: string })[] = [
  {
    route: 'getOverview',
    part: 'tags',
    because: 'seen() leaves the questions of others out; tags only save reading them',
  },
  { route: 'getOverview', part: 'seen', because: 'tags leave the questions of others out, except below a run' },
  { route: 'startRun', part: 'run', because: 'find() has just looked' },
  { route: 'getState', part: 'find', because: 'place() has refused ids of others' },
  { route: 'listAsks', part: 'tags', because: 'as in getOverview' },
  { route: 'listAsks', part: 'seen', because: 'as in getOverview: child runs have the tags of their parents' },
  { route: 'previewFork', part: 'place', because: 'the list of what is shared leaves checkpoints of others out' },
  { route: 'previewFork', part: 'find', because: 'records after a place that may be seen may be seen' },
  { route: 'fork', part: 'place', because: 'a fork whose base may not be seen is deleted again' },
  { route: 'fork', part: 'seen', because: 'the base of a fork that is kept may be seen' },
];

describe('a scope that is dropped', () => {
  for (const { id, access } of routes.filter((route) => route.access !== 'public')) {
    test(`in ${id} is noticed (${access})`, async () => {
      const { fault, used } = await tryRoute(id, undefined);
      expect(fault).toBeUndefined();
      const unnoticed: Part[] = [];
      const expected = harmless.filter(({ route }) => route === id).map(({ part }) => part);
      for (const part of used) {
        // Few requests show some of them.
        const numRuns = expected.includes(part) ? 200 : 5_000;
        if ((await tryRoute(id, part, numRuns)).fault === undefined) unnoticed.push(part);
      }
      expect([id, ...unnoticed.toSorted()]).toEqual([id, ...expected.toSorted()]);
    });
  }
});
