import type { Engine, OpenAsk } from 'holdfast';
import { findRun } from '../../address/run-address.ts';
import { CliError } from '../../failure/cli-error.ts';
import { hasFields, namesField, parseNamedValue } from '../../input/assignments.ts';
import { jsonOrStdin } from '../../input/json-or-stdin.ts';
import { suspendedHint } from '../../live/answer-commands.ts';
import { shortFields } from '../../output/short-value.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import type { Context } from '../../program/context.ts';
import { shellWord } from '../../program/paste.ts';
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
  const { engine: opened } = await openToChange(context);
  await using engine = opened;
  const { id } = await findRun(engine, runName);
  const name = hasName ? first : await nameIn(engine, id, assignments);
  const question = await questionOf(context, engine, { runId: id, name, ask: options.id });
  const value = await valueOf(context, { question, assignments, given: options.value });
  const run = await engine.get(question.runId);
  await run.answer(question.name, value, { id: question.id ?? options.id, by: options.by });
  return await followUp(context, {
    engine,
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
  /** The JSON Schema of its answer. */
  readonly schema?: unknown;
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
  if (only === undefined) return closedQuestion(context, engine, { runId, name });
  if (others.length === 0) return openQuestion(only);
  if (context.canAsk) {
    const { chooseAsk } = await import('../../input/schema-form.ts');
    return openQuestion(await chooseAsk(open));
  }
  const ids = open.map((each) => `${each.name} --id ${each.id}`).join(', ');
  throw CliError.conflict(`Run "${runId}" has ${open.length} open questions. Name one of them: ${ids}.`);
}

/**
 * The question that `approval=true` names, if that is one without fields: a command that is pasted twice must not answer the
 * question that was asked since.
 */
async function nameIn(engine: Engine, runId: string, assignments: readonly string[]): Promise<string | undefined> {
  const [only = '', ...others] = assignments;
  const name = only.slice(0, Math.max(0, only.indexOf('=')));
  if (name === '' || others.length > 0) return undefined;
  const asked = await lastAsked(engine, runId, name);
  if (asked === undefined || hasFields(asked.schema)) return undefined;
  const open = await engine.asks({ under: runId, limit: 100 }).toArray();
  return open.some((each) => each.name !== name && namesField(each.answerSchema, name)) ? undefined : name;
}

function openQuestion(open: OpenAsk): Question {
  return { runId: open.runId, name: open.name, id: open.id, schema: open.answerSchema, open };
}

/** A question that is already answered, or not asked yet: the engine handles both. */
async function closedQuestion(
  { paste }: Context,
  engine: Engine,
  { runId, name }: Omit<Wanted, 'ask'>,
): Promise<Question> {
  if (name === undefined && (await findRun(engine, runId)).status === 'suspended') {
    throw CliError.conflict(
      `${suspendedHint(paste, runId)} To answer it now, name the question: ${paste(`answer ${shellWord(runId)} NAME field=value`)}`,
    );
  }
  const asked = await lastAsked(engine, runId, name);
  if (asked !== undefined) return { runId, ...asked };
  if (name !== undefined) return { runId, name };
  throw CliError.notFound(
    `Run "${runId}" has no open questions. See its status with: ${paste(`show ${shellWord(runId)}`)}`,
  );
}

/** The last question of a run, or its last one of that name: repeating its answer is fine. */
async function lastAsked(
  engine: Engine,
  runId: string,
  name: string | undefined,
): Promise<Pick<Question, 'name' | 'schema'> | undefined> {
  let last: Pick<Question, 'name' | 'schema'> | undefined;
  for await (const { payload } of engine.journal.read(runId, { kind: 'wait' })) {
    const wait = payload as { readonly kind?: unknown; readonly name?: unknown; readonly schema?: unknown };
    if (wait.kind !== 'ask' || typeof wait.name !== 'string') continue;
    if (name === undefined || wait.name === name) last = { name: wait.name, schema: wait.schema };
  }
  return last;
}

interface Given {
  readonly question: Question;
  readonly assignments: readonly string[];
  readonly given: string | undefined;
}

async function valueOf({ canAsk, paste }: Context, { question, assignments, given }: Given): Promise<unknown> {
  const { schema } = question;
  if (given !== undefined && assignments.length > 0)
    throw CliError.usage('Pass the answer as --value JSON or as k=v, not both.');
  if (given !== undefined) return jsonOrStdin(given, '--value');
  if (assignments.length > 0) return parseNamedValue(assignments, question.name, schema);
  if (canAsk && question.open !== undefined) {
    const { askWithForm } = await import('../../input/schema-form.ts');
    return askWithForm(question.open);
  }
  const command = `answer ${shellWord(question.runId)} ${answerHint(question.name, schema)}`;
  throw CliError.usage(`Pass the answer: ${paste(command)}`);
}
