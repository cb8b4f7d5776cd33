// Every route of the OpenAPI document with whatever comes: no crash, no 500, and answers as the document says.
// HOLDFAST_REQUESTS=20000 HOLDFAST_SEED=any asks more, and other things each time: npm run test:requests.
import { expect } from 'vitest';
import { routes } from '../../src/route/all.ts';
import { testEverywhere } from '../every-store.ts';
import { served } from '../fixture.ts';
import { fillForFuzz, fuzz } from './fuzz.ts';
import { type Document, operationsOf } from './requests.ts';

const numRuns = Number(process.env['HOLDFAST_REQUESTS'] ?? 800);

/** Answered by chance alone, if at all: they need the id of a question, a key, or a file. */
const rare = ['settle', 'deleteRun', 'answer', 'send', 'importRun'];

const isAnswered = async (): Promise<void> => {
  const unexpected: unknown[] = [];
  const here = await served({ observe: (event) => event.type === 'error' && unexpected.push(event.error) });
  await fillForFuzz(here.engine);
  const document = (await here.ask('GET', '/openapi.json')).body as Document;
  const wanted = operationsOf(document);
  expect(wanted.toSorted()).toEqual(routes.map(({ id }) => id).toSorted());
  const { fault, statuses } = await fuzz({ ask: here.ask, wanted, numRuns, unexpected });
  expect(fault).toBeUndefined();
  // Each was answered, not only refused.
  const never = [...statuses].filter(([, seen]) => ![...seen].some((status) => status < 400)).map(([id]) => id);
  expect(never.filter((id) => !rare.includes(id))).toEqual([]);
};

// On a busy machine, the long portion takes long.
const timeoutMs = Math.max(600_000, 300 * numRuns);
testEverywhere('no request crashes the server, and every answer is one of the document', isAnswered, timeoutMs);
