import { describe, expect, test } from 'vitest';
import { deferred } from '../../../async/deferred.ts';
import { AnswerLimit, type Verdict } from './answer-limit.ts';

const patienceMs = 1_200;
/** Of each limit, of which there are three in the patience. */
const ticks = 4;

/** A limit whose time passes when the test says so. */
function setUp(verdict: Verdict) {
  let tick = deferred();
  const clock = {
    now: () => 0,
    sleep: () => {
      tick = deferred();
      return tick.promise;
    },
  };
  const limit = new AnswerLimit({ clock, patienceMs });
  let asked = 0;
  const pass = async (count: number): Promise<void> => {
    for (let at = 0; at < count; at += 1) {
      tick.resolve();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  const wait = (bytes = 0) => {
    const result: { what: string } = { what: 'waits' };
    const answer = deferred<string>();
    const answered = limit.within(answer.promise, {
      bytes: () => bytes,
      verdict: async () => {
        asked += 1;
        return verdict;
      },
    });
    answered.then(
      (value) => (result.what = value),
      (error: Error) => (result.what = error.message),
    );
    return { result, answer: answer.resolve };
  };
  return { pass, wait, asked: () => asked };
}

const silence = 'the server does not answer';

describe('AnswerLimit', () => {
  test('gives an answer on, and an answer that comes before its limit is not asked about', async () => {
    const { pass, wait, asked } = setUp('lost');
    const { result, answer } = wait();
    await pass(ticks);
    answer('there');
    await pass(20);
    expect(result.what).toBe('there');
    expect(asked()).toBe(0);
  });

  test('gives up after a third of the patience what is lost', async () => {
    const { pass, wait } = setUp('lost');
    const { result } = wait();
    await pass(ticks);
    expect(result.what).toBe('waits');
    await pass(1);
    expect(result.what).toBe(silence);
  });

  test('waits for the whole patience where nobody knows', async () => {
    const { pass, wait } = setUp('unknown');
    const { result } = wait();
    await pass(3 * ticks);
    expect(result.what).toBe('waits');
    await pass(1);
    expect(result.what).toBe(silence);
  });

  test('waits for what the server executes, however long that takes', async () => {
    const { pass, wait, asked } = setUp('executed');
    const { result, answer } = wait();
    await pass(100);
    expect(result.what).toBe('waits');
    expect(asked()).toBeGreaterThan(10);
    answer('late');
    await pass(1);
    expect(result.what).toBe('late');
  });

  test('gives a slow network time for much that is sent', async () => {
    const { pass, wait } = setUp('lost');
    const { result } = wait(1_000_000);
    await pass(3 * ticks);
    expect(result.what).toBe('waits');
    await pass(ticks);
    expect(result.what).toBe(silence);
  });
});
