import type { QuestionJson } from '../schema/timeline-types.ts';
import type { Question } from '../timeline/fold-questions.ts';
import { plain } from './plain.ts';
import type { Redactor } from './redact.ts';
import { errorPart } from './timeline-json.ts';

/** A question as JSON. */
export function questionJson(question: Question, redactor: Redactor): QuestionJson {
  const { id, runId, seq, node, name, show, schema, since, until, status, answer, by, at, refused } = question;
  return {
    id,
    runId,
    seq,
    node,
    name,
    show: redactor.value(['questions', name], show),
    answerSchema: plain(schema),
    since: since.toISOString(),
    until: until === undefined ? null : new Date(until).toISOString(),
    status,
    ...(answer !== undefined && { answer: redactor.value(['answers', name], answer) }),
    ...(by !== undefined && { by: redactor.text(['by'], by) }),
    ...(at !== undefined && { at: at.toISOString() }),
    ...(refused !== undefined && { refused: errorPart(refused, redactor) }),
  };
}
