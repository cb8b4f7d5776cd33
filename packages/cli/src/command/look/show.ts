import type { Checkpoint, Engine, OpenAsk, Outcome, Run, RunSummary } from 'holdfast';
import { outputOf } from '../../address/output-of.ts';
import { findRun } from '../../address/run-address.ts';
import { isSchema, propertiesOf, typesOf } from '../../input/assignments.ts';
import { settleCommand, suspendedHint } from '../../live/answer-commands.ts';
import { dueText } from '../../live/left-run.ts';
import type { Output } from '../../output/output.ts';
import { oneLine, printable } from '../../output/printable.ts';
import { shortFields, shortValue } from '../../output/short-value.ts';
import { fields } from '../../output/table.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import type { Context } from '../../program/context.ts';
import { shellWord } from '../../program/paste.ts';
import { openToRead } from '../../project/open-engine.ts';
import { waitTexts } from './runs.ts';
import { stateLines } from './state.ts';

/** `holdfast show RUN`. */
export const show: CommandFn<object> = async (context, [name = '']) => {
  const { out, paste } = context;
  await using engine = await openToRead(context);
  const summary = await findRun(engine, name);
  const view = await viewOf(engine, summary);
  const { checkpoint, asks, outcome } = view;
  const effects = effectsOf(outcome);
  const error = outcome?.status === 'failed' ? outcome.error : undefined;
  const result = outputOf(outcome);
  const value = { ...summary, asks, effects, error, state: checkpoint?.state, checkpoint: checkpoint?.id, ...result };
  out.result('run', value, () => [
    ...headLines(out, summary, view),
    ...(summary.status === 'suspended' ? ['', suspendedHint(paste, summary.id)] : []),
    ...questionLines(context, asks),
    ...effects.flatMap(({ name: effect, key }) => [
      '',
      `${out.paint.yellow('Unknown outcome')} of ${printable(effect)}: its process died in the middle of it.`,
      out.paint.dim(`  ${settleCommand(paste, summary.id, key)}`),
    ]),
    ...(error === undefined
      ? []
      : ['', `${out.paint.red('Failed:')} ${oneLine(error.message)} ${out.paint.dim(`(${error.code})`)}`]),
    ...(checkpoint === undefined ? [] : ['', ...stateLines(out, result ?? checkpoint.state)]),
  ]);
  return 0;
};

interface View {
  readonly checkpoint: Pick<Checkpoint, 'id' | 'state' | 'next'> | undefined;
  readonly asks: readonly OpenAsk[];
  /** Why it could continue, if it could. */
  readonly due: string | undefined;
  readonly outcome: Outcome | undefined;
}

async function viewOf(engine: Engine, summary: RunSummary): Promise<View> {
  const { id, kind, status } = summary;
  if (kind === 'journal') {
    return { checkpoint: await engine.checkpoints.latest(id), asks: [], due: undefined, outcome: undefined };
  }
  const run = await engine.get(id);
  const asks: OpenAsk[] = [];
  const answered = await answeredIn(engine, id);
  for await (const ask of engine.asks({ under: id, limit: 100 })) if (!answered.has(ask.id)) asks.push(ask);
  const due = await dueText(engine, summary);
  const isStill = due === undefined && status !== 'pending' && status !== 'running';
  return { checkpoint: await run.checkpoint(), asks, due, outcome: isStill ? await peek(run) : undefined };
}

/** The questions whose answer waits for a worker to check it. */
async function answeredIn(engine: Engine, id: string): Promise<ReadonlySet<string>> {
  const answered = new Set<string>();
  for await (const { payload } of engine.journal.read(id, { kind: 'answer' })) {
    const { wait, of } = payload as { readonly wait?: unknown; readonly of?: unknown };
    if (typeof wait !== 'string') continue;
    // The verdict on an answer: if it was refused, the question is open again.
    if (of === undefined) answered.add(wait);
    else answered.delete(wait);
  }
  return answered;
}

/** The outcome, or undefined if the run is not idle soon: a sleep may take days. */
async function peek(run: Run): Promise<Outcome | undefined> {
  try {
    return await run.outcome({ signal: AbortSignal.timeout(300) });
  } catch {
    return undefined;
  }
}

/** The effects whose outcome a person has to settle. */
function effectsOf(outcome: Outcome | undefined): readonly { readonly name: string; readonly key: string }[] {
  if (outcome?.status !== 'waiting') return [];
  return outcome.waits.flatMap((wait) => (wait.kind === 'effect' ? [{ name: wait.name, key: wait.key }] : []));
}

function headLines(out: Output, summary: RunSummary, { checkpoint, due, outcome }: View): readonly string[] {
  const { id, kind, graph, version, status, superstep, head, createdAt, updatedAt, tags, parentId, forkedAt, waits } =
    summary;
  const { text, paint } = out.status(status);
  const until = outcome?.status === 'cancelled' && outcome.reason !== undefined ? `: ${oneLine(outcome.reason)}` : '';
  const pairs: [string, string][] = [
    ['run', out.paint.bold(id)],
    ['graph', graphText({ kind, graph, version })],
    ['status', `${paint?.(text) ?? text}${until}`],
    ['super-step', `${superstep}, journal up to ${head}`],
    ['started', out.time(createdAt)],
    ['updated', out.time(updatedAt)],
  ];
  const waiting = waitTexts(waits, due);
  if (waiting.length > 0) pairs.push(['waiting for', printable(waiting.join(', '))]);
  if (checkpoint !== undefined && checkpoint.next.length > 0) pairs.push(['next', checkpoint.next.join(', ')]);
  if (Object.keys(tags).length > 0) pairs.push(['tags', shortFields(tags)]);
  if (parentId !== null) pairs.push(['child of', parentId]);
  if (forkedAt !== null) pairs.push(['fork of', forkedAt]);
  for (const { worker, code, message, at } of summary.refusals) {
    pairs.push(['refused', `by ${worker}, ${out.time(at)}: ${oneLine(message)} (${code})`]);
  }
  return fields(pairs, out.paint.dim);
}

function graphText({ kind, graph, version }: Pick<RunSummary, 'kind' | 'graph' | 'version'>): string {
  if (kind === 'graph') return `${graph} v${version}`;
  return graph === '' ? 'none (journal run)' : `${graph} (journal run)`;
}

/** The open questions, each with the command that answers it. */
function questionLines({ out, paste }: Context, asks: readonly OpenAsk[]): readonly string[] {
  return asks.flatMap(({ name, node, show, runId, id: ask, answerSchema }) => {
    const isOne = asks.filter((each) => each.name === name && each.runId === runId).length === 1;
    const which = isOne ? '' : ` --id ${shellWord(ask)}`;
    return [
      '',
      `${out.paint.yellow('Question')} ${printable(name)} of ${printable(node)}${show === undefined ? '' : `: ${shortValue(show, 160)}`}`,
      out.paint.dim(`  ${paste(`answer ${shellWord(runId)} ${answerHint(name, answerSchema)}${which}`)}`),
    ];
  });
}

/** A question and the shape of its answer on a command line: `approval 'ok=true|false' note=TEXT`, quoted so that no shell takes it for a pipe. */
export function answerHint(name: string, schema: unknown): string {
  const properties = Object.entries(propertiesOf(schema));
  const fields = properties.map(([key, field]) => shellWord(`${key}=${fieldHint(field)}`));
  if (fields.length > 0) return `${shellWord(name)} ${fields.join(' ')}`;
  const [type, ...others] = typesOf(schema);
  const isOneValue = type !== undefined && type !== 'object' && others.length === 0;
  return isOneValue ? shellWord(`${name}=${fieldHint(schema)}`) : `${shellWord(name)} --value JSON`;
}

function fieldHint(schema: unknown): string {
  const { type, enum: choices } = isSchema(schema) ? schema : {};
  if (Array.isArray(choices)) return choices.map(String).join('|');
  if (type === 'boolean') return 'true|false';
  return type === 'number' || type === 'integer' ? 'NUMBER' : type === 'string' ? 'TEXT' : 'JSON';
}
