import { describe, expect, test } from 'vitest';
import { questionOf } from './ask-text.ts';

/** What is said of a question whose answer has this schema. */
function form(answerSchema: unknown): string {
  return questionOf({ name: 'approval', show: null, answerSchema: answerSchema as never }).form;
}

describe('questionOf()', () => {
  const ask = { name: 'approval', answerSchema: null };

  test('has the words of the question', () => {
    expect(questionOf({ ...ask, show: 'Refund?' }).text).toBe('Refund?');
    expect(questionOf({ ...ask, show: { cents: 5, question: 'Refund €5?' } }).text).toBe('Refund €5?');
  });

  test('has the facts where there are no words', () => {
    expect(questionOf({ ...ask, show: { cents: 12_000, order: 'ord_81', items: [] } }).text).toBe(
      'approval: cents 12000, order ord_81',
    );
    expect(questionOf({ ...ask, show: null }).text).toBe('approval');
  });

  test('says what kind of answer it takes', () => {
    expect(form(null)).toBe('JSON');
    expect(form({ type: 'boolean' })).toBe('yes or no');
    expect(form({ enum: ['a', 'b', 'c'] })).toBe('one of 3');
    expect(form({ type: 'object', properties: { ok: { type: 'boolean' }, note: { type: 'string' } } })).toBe(
      'yes or no, note',
    );
  });
});
