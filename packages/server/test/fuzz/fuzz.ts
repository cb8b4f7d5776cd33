// The property of the fuzz: no answer of 500, and every answer is one of the document.

import * as fc from 'fast-check';
import type { Engine } from 'holdfast';
import { z } from 'zod';
import { routes } from '../../src/route/all.ts';
import { errorSchema } from '../../src/schema/command.ts';
import { type Ask, refunds, ticker } from '../fixture.ts';
import { type Document, type FuzzRequest, requestsOf } from './requests.ts';

/** Runs of every kind, with the names that requests know. */
export async function fillForFuzz(engine: Engine): Promise<void> {
  await engine.start(refunds, { order: 'o', cents: 1 }, { id: 'r' }).outcome();
  await engine.start(ticker, { count: 6, stays: true }, { id: 't' }).outcome();
  await engine.get('r').fork({ id: 'f' });
  await engine.journal.append('loop', { payload: { a: 1 } });
}

/** What the fuzz found. */
export interface Found {
  /** The first request that was answered wrongly, and how. */
  readonly fault: readonly [FuzzRequest, string] | undefined;
  /** The statuses of each operation. */
  readonly statuses: ReadonlyMap<string, ReadonlySet<number>>;
}

interface Fuzzed {
  readonly ask: Ask;
  readonly wanted: readonly string[];
  readonly numRuns: number;
  /** Errors that the server did not expect. */
  readonly unexpected: readonly unknown[];
}

/** Asks until something is wrong. */
export async function fuzz({ ask, wanted, numRuns, unexpected }: Fuzzed): Promise<Found> {
  const document = (await ask('GET', '/openapi.json')).body as Document;
  const statuses = new Map<string, Set<number>>();
  let fault: Found['fault'];
  const property = fc.asyncProperty(requestsOf(document, wanted), async (request) => {
    const answer = await ask(request.method, `${request.target}?${request.query}`, request.body);
    const seen = statuses.get(request.id) ?? new Set();
    statuses.set(request.id, seen.add(answer.status));
    const what = unexpected.length > 0 ? `unexpected: ${unexpected.join(', ')}` : faultOf(request, answer);
    if (what !== undefined) fault = [request, what];
    return what === undefined;
  });
  const { failed, errorInstance } = await fc.check(property, { numRuns, endOnFailure: true });
  if (failed && fault === undefined) throw new Error(`The server could not be asked: ${String(errorInstance)}`);
  return { fault, statuses };
}

function faultOf({ id, isForItsRoute }: FuzzRequest, { status, body }: Awaited<ReturnType<Ask>>): string | undefined {
  if (status === 500) return 'answered with 500';
  const route = routes.find((each) => each.id === id);
  if (route === undefined || !isForItsRoute) return undefined;
  const schema = status >= 400 ? errorSchema : route.response;
  if (!(schema instanceof z.ZodType)) return undefined;
  const { error } = schema.safeParse(body);
  return error && `no answer of the document: ${error.message}`;
}
