import type { ErrorCode } from 'holdfast';
import { sameValue } from '../../../../src/value/equal.ts';

/** What somebody answers: one of two valid values, or an invalid one. */
export type AnswerValue = boolean | 'maybe';

/** An answer as somebody gives it. */
export interface Given {
  /** Whoever has the code knows at once whether an answer is valid. */
  readonly hasCode: boolean;
  /** Whether it is code of a version that the run is past. To the run that is as good as none. */
  readonly isOld: boolean;
  readonly name: string;
  readonly id: string | undefined;
  readonly value: AnswerValue;
  readonly by: string;
}

interface Kept {
  readonly value: AnswerValue;
  readonly by: string;
}

/** A question of the run. */
export interface ModelQuestion {
  readonly id: string;
  /** Answers that nobody has validated yet. */
  readonly unchecked: Kept[];
  answer?: Kept;
}

/** The questions of a run and what became of every answer, as plainly as it can be said. */
export class ReferenceAnswers {
  readonly questions: ModelQuestion[] = [];
  /** The refusals that the events tell of: the question, or nothing, and the reason. */
  readonly refused: string[] = [];
  /** The version that is deployed, and the one that the run is at. */
  version: 1 | 2 = 1;
  at: 1 | 2 = 1;
  /** Whether a worker would execute the run. */
  isDue = false;
  /** Answers to names that no question has. */
  readonly #strays = new Map<string, Kept>();
  /** The question that was asked or answered last. */
  #last: ModelQuestion | undefined;

  get open(): readonly ModelQuestion[] {
    return this.questions.filter(({ answer }) => answer === undefined);
  }

  asked(id: string): void {
    const question: ModelQuestion = { id, unchecked: [] };
    this.questions.push(question);
    this.#last = question;
  }

  /** Gives an answer; undefined when it is accepted. */
  answer(given: Given): ErrorCode | undefined {
    const { hasCode, name, id, value } = given;
    if (hasCode && !this.#isInCode(name)) return 'HOLDFAST_UNKNOWN_QUESTION';
    if (hasCode && value === 'maybe') return 'HOLDFAST_INVALID_VALUE';
    if (id === undefined && !this.#isInRun(given)) return this.#keep(given);
    if (id === undefined && this.open.length > 1) return 'HOLDFAST_AMBIGUOUS';
    const question = id === undefined ? (this.open[0] ?? this.#last) : this.questions.find((each) => each.id === id);
    return question === undefined ? 'HOLDFAST_UNKNOWN_QUESTION' : this.#answer(question, given);
  }

  /** A worker with the deployed version executes the run. */
  execute(): void {
    if (!this.isDue) return;
    this.isDue = false;
    this.at = this.version;
    this.#takeRenamed();
    this.refused.push(...[...this.#strays].map(() => ' HOLDFAST_UNKNOWN_QUESTION'));
    this.#strays.clear();
    for (const question of this.open) this.#judge(question);
  }

  /** An answer by the new name was kept until the run had it. */
  #takeRenamed(): void {
    const kept = this.#strays.get('consent');
    if (kept === undefined || this.at === 1) return;
    this.open[0]?.unchecked.push(kept);
    this.#strays.delete('consent');
  }

  #isInCode(name: string): boolean {
    return name === 'approve' || (name === 'consent' && this.version === 2);
  }

  /** A question keeps its old names. Without the code, nobody knows its next one. */
  #isInRun({ hasCode, name }: Given): boolean {
    return hasCode || name === 'approve' || (name === 'consent' && this.at === 2);
  }

  #keep({ name, value, by }: Given): ErrorCode | undefined {
    const before = this.#strays.get(name);
    if (before !== undefined) return sameValue(before.value, value) ? undefined : 'HOLDFAST_ALREADY_ANSWERED';
    this.#strays.set(name, { value, by });
    this.isDue = true;
    return undefined;
  }

  #answer(question: ModelQuestion, { hasCode, value, by }: Given): ErrorCode | undefined {
    if (question.answer !== undefined) {
      return sameValue(question.answer.value, value) ? undefined : 'HOLDFAST_ALREADY_ANSWERED';
    }
    if (hasCode) this.#accept(question, { value, by }, question.unchecked);
    else if (question.unchecked.some((each) => each.value === value && each.by === by)) return undefined;
    else question.unchecked.push({ value, by });
    this.isDue = true;
    return undefined;
  }

  /** The first valid answer wins. */
  #judge(question: ModelQuestion): void {
    for (const [at, given] of question.unchecked.entries()) {
      if (given.value !== 'maybe') return this.#accept(question, given, question.unchecked.slice(at + 1));
      this.refused.push(`${question.id} HOLDFAST_INVALID_VALUE`);
    }
    question.unchecked.length = 0;
  }

  /** Everybody who said something else is told. */
  #accept(question: ModelQuestion, given: Kept, rest: readonly Kept[]): void {
    question.answer = given;
    this.#last = question;
    const losers = rest.filter(({ value }) => value !== given.value);
    this.refused.push(...losers.map(() => `${question.id} HOLDFAST_ALREADY_ANSWERED`));
  }
}
