// Rule 0: the fuzz has to notice a route that fails now and then, and one that answers what the document does not say.
import { memoryStore } from 'holdfast/testing';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { apiWith } from '../../src/api.ts';
import { routes } from '../../src/route/all.ts';
import type { Route } from '../../src/route/route.ts';
import { type Ask, graphs, openHere } from '../fixture.ts';
import { fillForFuzz, fuzz } from './fuzz.ts';

/** Breaks a route. */
type Mutant = (route: Route) => Route;

const mutants: Readonly<Record<string, Mutant>> = {
  'fails on every tenth request': (route) => {
    let asked = 0;
    return {
      ...route,
      answer: async (call, raw) => {
        asked += 1;
        if (asked % 10 === 0) throw new TypeError("Cannot read properties of undefined (reading 'id')");
        return route.answer(call, raw);
      },
    };
  },
  'refuses in a form of its own': (route) => ({
    ...route,
    answer: async (call, raw) => {
      try {
        return await route.answer(call, raw);
      } catch (error) {
        return Response.json({ reason: String(error) }, { status: 404 });
      }
    },
  }),
  'answers with a field that the document lacks': (route) => ({
    ...route,
    answer: async (call, raw) => {
      const value = await route.answer(call, raw);
      return value instanceof Response ? value : { ...(value as object), internal: true };
    },
  }),
};

/** Routes of which the fuzz does not notice this, and why. */
const unnoticed: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  'answers with a field that the document lacks': {
    settle: 'no run has an effect to settle',
    deleteRun: 'it is asked about runs that do not exist',
    importRun: 'no request brings a file',
  },
};

async function asking(route: string, mutant: Mutant): Promise<{ readonly ask: Ask; readonly unexpected: unknown[] }> {
  const engine = await openHere({}, memoryStore());
  await fillForFuzz(engine);
  const unexpected: unknown[] = [];
  const server = apiWith(
    engine,
    {
      graphs,
      authorize: () => ({ by: 'ada', admin: true }),
      observe: (event) => event.type === 'error' && unexpected.push(event.error),
    },
    { routes: routes.map((each) => (each.id === route ? mutant(each) : each)) },
  );
  const ask: Ask = async (method, path, body) => {
    const request = new Request(`http://localhost/api/v1${path}`, {
      method,
      ...(method === 'POST' && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body ?? {}) }),
    });
    const response = await server.fetch(request);
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') === true;
    return { status: response.status, headers: response.headers, body: (isJson ? JSON.parse(text) : text) as never };
  };
  return { ask, unexpected };
}

describe.each(Object.entries(mutants))('a route that %s', (name, mutant) => {
  const known = unnoticed[name] ?? {};
  const isAbout = ({ response }: Route): boolean => !name.includes('field') || response instanceof z.ZodType;
  test.each(routes.filter(isAbout).map(({ id }) => id))('%s', async (id) => {
    const { fault } = await fuzz({ ...(await asking(id, mutant)), wanted: [id], numRuns: 150 });
    expect([id, fault !== undefined]).toEqual([id, known[id] === undefined]);
  });
});
