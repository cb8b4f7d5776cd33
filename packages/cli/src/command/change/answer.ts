import type { Engine, OpenAsk } from 'holdfast';
import { findRun } from '../../address/run-address.ts';
import { CliError } from '../../failure/cli-error.ts';
import { parseAssignments } from '../../input/assignments.ts';
import { jsonOrStdin } from '../../input/json-or-stdin.ts';
import { suspendedHint } from '../../live/answer-commands.ts';
import { shortFields } from '../../output/short-value.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import type { Context } from '../../program/context.ts';
import { openToChange } from '../../project/open-engine.ts';
import { answerHint } from '../look/show.ts';
import { followUp } from './follow-up.ts';

interface AnswerOptions {
  readonly value?: string;
  readonly id?: string;
  readonly by?: string;
  readonly wait?: boolean;
}

/** `holdfast answer RUN [NAME] k=v…`. */
export const answer: CommandFn<AnswerOptions> = async (context, [runName = '', ...rest], options) => {
  const [first, ...others] = rest;
  const hasName = first !== undefined && !first.includes('=');
  const assignments = hasName ? others : rest;
  await using engine = await openToChange(context);
  const { id } = await findRun(engine, runName);
  const question = await questionOf(context, engine, { runId: id, name: hasName ? first : undefined, ask: options.id });
  const value = await valueOf(context, { question, assignments, given: options.value });
  const run = await engine.get(question.runId);
  await run.answer(question.name, value, { id: question.id ?? options.id, by: options.by });
  return await followUp(context, {
    run,
    what: `answered ${question.name} of ${question.runId}: ${shortFields(value)}`,
    value: { name: question.name, answer: value },
    wait: options.wait,
  });
};

interface Question {
  readonly runId: string;
  readonly name: string;
  readonly id?: string;
  readonly open?: OpenAsk;
}

interface Wanted {
  readonly runId: string;
  readonly name: string | undefined;
  readonly ask: string | undefined;
}

async function questionOf(context: Context, engine: Engine, { runId, name, ask }: Wanted): Promise<Question> {
  const open: OpenAsk[] = [];
  for await (const each of engine.asks({ under: runId, limit: 100 })) {
    if ((name === undefined || each.name === name) && (ask === undefined || each.id === ask)) open.push(each);
  }
  const [only, ...others] = open;
  // Not asked yet, or already answered: the engine handles both.
  if (only === undefined && name !== undefined) return { runId, name };
  if (only === undefined && (await findRun(engine, runId)).status === 'suspended') {
    throw CliError.conflict(
      `${suspendedHint(runId)} To answer it now, name the question: holdfast answer ${runId} NAME field=value`,
    );
  }
  if (only === undefined)
    throw CliError.notFound(`Run "${runId}" has no open questions. See its status with: holdfast show ${runId}`);
  if (others.length === 0) return { runId: only.runId, name: only.name, id: only.id, open: only };
  if (context.canAsk) {
    const { chooseAsk } = await import('../../input/schema-form.ts');
    const chosen = await chooseAsk(open);
    return { runId: chosen.runId, name: chosen.name, id: chosen.id, open: chosen };
  }
  const ids = open.map((each) => `${each.name} --id ${each.id}`).join(', ');
  throw CliError.conflict(`Run "${runId}" has ${open.length} open questions. Name one of them: ${ids}.`);
}

interface Given {
  readonly question: Question;
  readonly assignments: readonly string[];
  readonly given: string | undefined;
}

async function valueOf({ canAsk }: Context, { question, assignments, given }: Given): Promise<unknown> {
  const schema = question.open?.answerSchema;
  if (given !== undefined && assignments.length > 0)
    throw CliError.usage('Pass the answer as --value JSON or as k=v, not both.');
  if (given !== undefined) return jsonOrStdin(given, '--value');
  if (assignments.length > 0) return parseAssignments(assignments, schema);
  if (canAsk && question.open !== undefined) {
    const { askWithForm } = await import('../../input/schema-form.ts');
    return askWithForm(question.open);
  }
  throw CliError.usage(`Pass the answer: holdfast answer ${question.runId} ${question.name} ${answerHint(schema)}`);
}
