import type { JournalRecord } from 'holdfast';
import { fieldsOf, type RecordFields } from './record-fields.ts';

/** A question that a run asked, and what became of it. */
export interface Question {
  readonly id: string;
  readonly runId: string;
  readonly seq: number;
  readonly node: string;
  readonly name: string;
  readonly show: unknown;
  readonly schema: unknown;
  readonly since: Date;
  readonly until: number | undefined;
  status: 'open' | 'given' | 'answered' | 'timeout' | 'withdrawn';
  answer?: unknown;
  by?: string | undefined;
  at?: Date | undefined;
  refused?: RecordFields['refused'];
}

/** The questions of a run, from its records, oldest first. */
export function foldQuestions(records: readonly JournalRecord[]): readonly Question[] {
  const questions = new Map<string, Question>();
  /** Answers that were given before their question was asked, by their seq. */
  const early = new Map<number, { readonly fields: RecordFields; readonly at: Date }>();
  for (const record of records) {
    const fields = fieldsOf(record);
    const question = questions.get(fields.wait ?? '');
    if (record.kind === 'wait' && fields.kind === 'ask') {
      const asked = askedBy(record, fields);
      if (asked !== undefined) questions.set(asked.id, asked);
      const given = early.get(fields.answer ?? -1);
      if (asked !== undefined && given !== undefined) answered(asked, given.fields, given.at);
    } else if (record.kind === 'answer' && question !== undefined) answer(question, fields, record.at);
    else if (record.kind === 'answer' && fields.wait === undefined) early.set(record.seq, { fields, at: record.at });
    else if (record.kind === 'timer' && question !== undefined) end(question, 'timeout', record.at);
    else if (record.kind === 'superstep' || record.kind === 'run-end') withdraw(questions, record.at);
  }
  return [...questions.values()];
}

function askedBy({ runId, seq, at }: JournalRecord, fields: RecordFields): Question | undefined {
  const { id, node = '', name = '', show, schema, until, again } = fields;
  if (id === undefined || again === true) return undefined;
  return { id, runId, seq, node, name, show, schema, since: at, until, status: 'open' };
}

function answer(question: Question, fields: RecordFields, at: Date): void {
  const { refused, of, checked = false } = fields;
  if (refused !== undefined) {
    // The question is open again.
    question.status = 'open';
    question.refused = refused;
    question.answer = undefined;
    question.by = undefined;
  } else if (of !== undefined) {
    question.status = 'answered';
    if (fields.value !== undefined) question.answer = fields.value;
  } else if (question.status === 'open') {
    answered(question, fields, at);
    if (!checked) question.status = 'given';
  }
}

function answered(question: Question, { value, by }: RecordFields, at: Date): void {
  question.status = 'answered';
  question.answer = value;
  question.by = by;
  question.at = at;
  question.refused = undefined;
}

function end(question: Question, status: Question['status'], at: Date): void {
  if (question.status === 'answered') return;
  question.status = status;
  question.at = at;
}

/** The questions that are still open when their super-step ends are withdrawn. */
function withdraw(questions: ReadonlyMap<string, Question>, at: Date): void {
  for (const question of questions.values()) if (question.status === 'open') end(question, 'withdrawn', at);
}
