// What an answer must not tell one tenant of another, and what it must not have done.
import type { Engine } from 'holdfast';
import type { TenantRequest } from './requests.ts';
import { given } from './scene.ts';

/** What an answer was. */
export interface TenantAnswer {
  readonly status: number;
  readonly body: unknown;
}

/** Routes that nobody with a scope may call. */
const onlyForAll: ReadonlySet<string> = new Set(['getMetrics', 'importRun']);

/** What is wrong with an answer to acme. Undefined: nothing. */
export async function faultIn(
  engine: Engine,
  { route, method, path, isForeign }: TenantRequest,
  { status, body }: TenantAnswer,
): Promise<string | undefined> {
  if (status >= 500) return `status ${status}`;
  if (onlyForAll.has(route) && status !== 403) return 'is about all runs';
  if (route === 'getForkTree' && !isForeign && status !== 200) return 'does not answer about a run of its own';
  if (isForeign && status !== 404 && status !== 403) return `status ${status} for a run of someone else`;
  if (tellsOfOthers(body)) return 'tells of someone else';
  if (status >= 400) return undefined;
  if (namesOthers.test(decodeURIComponent(path)) && !isEmpty(body))
    return 'begins at a run of someone else, or finds by it';
  if (route === 'fork' || (route === 'startRun' && method === 'POST')) return faultInMade(engine, body);
  return faultInCounts(engine, route, body);
}

/** A cursor, a parent, a base or a place of the other tenant. */
const namesOthers = /(?:after|run|at|before|from|to|parent:|fork-of:)=?umbrella/u;

function isEmpty(body: unknown): boolean {
  return JSON.stringify(body) === '{"runs":[],"next":null}' || JSON.stringify(body) === '{"count":0,"isCut":false}';
}

/** A refusal may repeat the id that the request itself named. */
function tellsOfOthers(body: unknown): boolean {
  const text = JSON.stringify(body);
  const isError = typeof body === 'object' && body !== null && 'error' in body;
  return text.includes('secret-of-umbrella') || (!isError && text.includes('umbrella'));
}

async function faultInMade(engine: Engine, body: unknown): Promise<string | undefined> {
  const { id } = (body as { readonly run: { readonly id: string } }).run;
  const { tags, forkedAt } = await engine.get(id).summary();
  if (tags['tenant'] !== 'acme') return 'made a run of nobody or of someone else';
  if (forkedAt === null || given.includes(id)) return undefined;
  const base = await engine.get(forkedAt.slice(0, forkedAt.lastIndexOf('@'))).summary();
  return base.tags['tenant'] === 'acme' ? undefined : 'forked a run of someone else';
}

interface Counts {
  readonly runs: number;
  readonly asks: number;
}

async function faultInCounts(engine: Engine, route: string, body: unknown): Promise<string | undefined> {
  const tags = { tenant: 'acme' };
  const counted = countsIn(route, body);
  const runs = (await engine.runs({ tags }).toArray()).length;
  const asks = (await engine.asks({ tags }).toArray()).length;
  return counted.runs > runs || counted.asks > asks ? 'counts what belongs to someone else' : undefined;
}

interface Counted {
  readonly count: number;
}

function countsIn(route: string, body: unknown): Counts {
  switch (route) {
    case 'countRuns':
      return { runs: (body as Counted).count, asks: 0 };
    case 'getOverview': {
      const { runs, asks } = body as { readonly runs: Readonly<Record<string, Counted>>; readonly asks: Counted };
      return { runs: sum(Object.values(runs).map(({ count }) => count)), asks: asks.count };
    }
    case 'getStore': {
      const { graphs } = body as { readonly graphs: readonly { readonly runs: number }[] };
      return { runs: sum(graphs.map(({ runs }) => runs)), asks: 0 };
    }
    case 'checkGraph': {
      const { versions } = body as { readonly versions: readonly { readonly unfinished: number }[] };
      return { runs: sum(versions.map(({ unfinished }) => unfinished)), asks: 0 };
    }
    default:
      return { runs: 0, asks: 0 };
  }
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, each) => total + each, 0);
}
