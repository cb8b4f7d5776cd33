import { HoldfastError, workflow } from 'holdfast';
import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { describeEverywhere } from './every-place.ts';

const input = z.object({});

class HttpError extends Error {
  override readonly name = 'HttpError';
  readonly status: number;
  readonly request = { headers: { authorization: 'secret' } };
  constructor(status: number, message: string) {
    super(message);
    this.status = status;
  }
}

function refused(): HttpError {
  return Object.assign(new HttpError(429, 'slow down'), {
    code: 'RATE_LIMITED',
    retryAfter: 30,
    isFinal: false,
    hint: null,
    score: Number.NaN,
  });
}

const kept = {
  name: 'HttpError',
  message: 'slow down',
  code: 'RATE_LIMITED',
  status: 429,
  retryAfter: 30,
  isFinal: false,
  hint: null,
};

/** Catches what the step throws, and then waits: the second time, the journal has it. */
const caught = workflow('caught', { input }, async (_, { step, sleep }) => {
  const error = await step('call', () => {
    throw refused();
  }).catch((thrown: Error) => thrown.cause as HttpError);
  const seen = { status: error.status, code: (error as unknown as { code: string }).code, keys: Object.keys(error) };
  await sleep('1ms');
  return seen;
});

const failing = workflow('failing', { input }, () => {
  throw new Error('checkout failed', { cause: refused() });
});

describeEverywhere("a user's error", (place) => {
  test('keeps its plain fields in the journal, for the body that catches it', async () => {
    const engine = await place().open();
    const seen = await engine.start(caught, {}).result();
    expect(seen).toMatchObject({ status: 429, code: 'RATE_LIMITED' });
    expect(seen.keys).not.toContain('request');
    expect(seen.keys).not.toContain('score');
  });

  test('keeps its plain fields for whoever reads the run, in JSON too', async () => {
    const here = place();
    const first = await here.open();
    await first
      .start(failing, {}, { id: 'r' })
      .result()
      .catch(() => undefined);
    await first.close();
    const outcome = await (await here.open()).get(failing, 'r').outcome();
    if (outcome.status !== 'failed') throw new Error(outcome.status);
    const { error } = outcome;
    expect(error.cause).toMatchObject({ message: 'checkout failed', cause: kept });
    expect(JSON.parse(JSON.stringify({ outcome }))).toEqual({
      outcome: {
        status: 'failed',
        state: {},
        error: {
          name: 'HoldfastError',
          code: 'HOLDFAST_NODE_FAILED',
          message: 'Node main failed: checkout failed',
          details: { runId: 'r', node: 'main' },
          cause: { name: 'Error', message: 'checkout failed', cause: kept },
        },
      },
    });
  });
});

describe('HoldfastError.is()', () => {
  test('types the details by the code', () => {
    const thrown: unknown = undefined;
    if (HoldfastError.is(thrown, 'HOLDFAST_AMBIGUOUS')) thrown.details.ids satisfies readonly string[];
    if (HoldfastError.is(thrown, 'HOLDFAST_STEP_FAILED')) thrown.details.attempts satisfies number;
    // @ts-expect-error: any other detail may be anything.
    if (HoldfastError.is(thrown, 'HOLDFAST_STEP_FAILED')) thrown.details['other'] satisfies number;
    expect(HoldfastError.is(thrown)).toBe(false);
  });
});
