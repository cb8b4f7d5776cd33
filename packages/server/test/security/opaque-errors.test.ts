// Errors: what was unexpected is opaque, and the log has it.
import { expect, onTestFinished, test, vi } from 'vitest';
import { errorCodes, errorOf } from '../../../../test/error-codes.ts';
import { errorAnswer } from '../../src/guard/answers.ts';
import { openHere, refunds, served } from '../fixture.ts';

test('answers unexpected errors with nothing but an id that the log has', async () => {
  const errors: { readonly id: string; readonly error: unknown }[] = [];
  const here = await served({
    authorize: () => {
      throw new Error('postgres://admin:hunter2@db');
    },
    observe: (event) => event.type === 'error' && errors.push(event),
  });
  const { status, body } = await here.ask('GET', '/runs');
  expect(status).toBe(500);
  expect(JSON.stringify(body)).not.toContain('hunter2');
  expect(JSON.stringify(body)).toContain(errors[0]?.id);
});

test('a closed engine is a 503 that says nothing of the store', async () => {
  const engine = await openHere();
  const here = await served({ engine });
  await engine.close();
  expect((await here.ask('GET', '/health')).status).toBe(503);
  expect(await here.ask('GET', '/runs')).toMatchObject({
    status: 503,
    body: { error: { code: 'HOLDFAST_STORE_CLOSED' } },
  });
  onTestFinished(() => here.server.close());
});

test('an observer that fails takes no request with it', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => stderr.mockRestore());
  const here = await served({
    observe: () => {
      throw new Error('full disk\u001b[2J');
    },
  });
  await here.engine.start(refunds, { order: 'o', cents: 1 }, { id: 'r' }).outcome();
  expect((await here.ask('POST', '/runs/r/cancel', {})).status).toBe(200);
  const lines = stderr.mock.calls.map(([text]) => String(text));
  expect(lines).toContainEqual(expect.stringContaining('full disk\\u001b[2J'));
});

test('an unexpected error is written to stderr if nobody observes', async () => {
  const stderr = vi.spyOn(process.stderr, 'write').mockReturnValue(true);
  onTestFinished(() => stderr.mockRestore());
  const here = await served({
    authorize: () => {
      throw new Error('the database is gone');
    },
    pages: () => {
      throw new Error('no pages');
    },
  });
  const { body } = await here.ask('GET', '/runs');
  const page = (await (await fetch(`${here.base}/`)).json()) as { error: { message: string } };
  const lines = stderr.mock.calls.map(([text]) => String(text)).join('');
  for (const message of [(body as { error: { message: string } }).error.message, page.error.message])
    expect(lines).toContain(/[0-9a-f-]{36}/u.exec(message)?.[0]);
  expect(lines).toContain('the database is gone');
});

test('every code of core is an answer, a store that may answer later, data that cannot be read, or unexpected', () => {
  // A run that fails with one of these says so in its outcome; a caller of the API is never answered with them.
  const never = [
    'HOLDFAST_COVERS_TOO_MUCH',
    'HOLDFAST_CRASHED',
    'HOLDFAST_CRASH_LOOP',
    'HOLDFAST_DIVERGED',
    'HOLDFAST_DRIVER_MISSING',
    'HOLDFAST_FOREIGN_FILE',
    'HOLDFAST_INVALID_GRAPH',
    'HOLDFAST_MAX_SUPERSTEPS',
    'HOLDFAST_NESTED_CALL',
    'HOLDFAST_NODE_FAILED',
    'HOLDFAST_STEP_FAILED',
    'HOLDFAST_STORE_CONTRACT',
    'HOLDFAST_STORE_FOREIGN',
    'HOLDFAST_STORE_UNSAFE',
  ];
  const unexpected = errorCodes.filter((code) => {
    const { status } = errorAnswer(errorOf(code, 'x'), () => undefined);
    return status === 500;
  });
  const unreadable = ['HOLDFAST_CORRUPT', 'HOLDFAST_MISSING_KEY', 'HOLDFAST_UNKNOWN_FORMAT', 'HOLDFAST_WRONG_KEY'];
  expect(unexpected.toSorted()).toEqual([...never, ...unreadable].toSorted());
});

test('data that cannot be read is named, but not where it is', async () => {
  const told: string[] = [];
  const error = errorOf('HOLDFAST_CORRUPT', '/var/lib/runs.db is corrupt at 17.');
  const answer = errorAnswer(error, (id) => told.push(id));
  expect(answer.status).toBe(500);
  const { error: shown } = (await answer.json()) as { error: { code: string; message: string } };
  expect(shown.code).toBe('HOLDFAST_CORRUPT');
  expect(shown.message).not.toContain('/var/lib');
  expect(shown.message).toContain(told[0]);
});
