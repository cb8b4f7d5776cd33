import type { Engine, Outcome, Run, RunEvent, Wait } from 'holdfast';
import { type ExitCode, exitCodeOfRun } from '../failure/exit-code.ts';
import type { Output } from '../output/output.ts';
import { oneLine, printable } from '../output/printable.ts';
import { shortValue } from '../output/short-value.ts';
import type { Context } from '../program/context.ts';
import { shellWord } from '../program/paste.ts';
import { answerCommands, leftHints, suspendedHint } from './answer-commands.ts';
import { failureText } from './failed-attempt.ts';
import { handleSignals } from './interrupt.ts';
import { dueText, unlessLeft } from './left-run.ts';

/** A run, and the engine that reads it. */
export interface Followed {
  readonly engine: Engine;
  readonly run: Run;
}

interface FollowOptions {
  readonly after?: string | undefined;
  readonly until: 'idle' | 'end';
}

/** Shows a run's events as they happen, then its outcome. */
export async function follow(context: Context, followed: Followed, options: FollowOptions): Promise<ExitCode> {
  const { out, paste } = context;
  const { engine, run } = followed;
  using interrupt = handleSignals();
  const { signal } = interrupt;
  const wait = async (until: AbortSignal): Promise<Outcome> => showUntilIdle(out, run, { ...options, signal: until });
  try {
    const waited =
      options.until === 'end' ? { done: await wait(signal) } : await unlessLeft({ engine, run, signal, wait });
    if ('left' in waited) {
      const due = (await dueText(engine, waited.left)) ?? 'due';
      for (const line of leftHints(paste, { id: run.id, left: waited.left.id, due })) out.hint(line);
      return 3;
    }
    tellOutcome(context, run.id, waited.done);
    return exitCodeOfRun(waited.done.status);
  } catch (error) {
    const exitCode = interrupt.exitCode();
    if (exitCode === undefined) throw error;
    out.hint(`Stopped watching; the run continues. Watch it again with: ${paste(`watch ${shellWord(run.id)}`)}`);
    return exitCode;
  }
}

interface ShowOptions extends FollowOptions {
  readonly signal: AbortSignal;
}

async function showUntilIdle(out: Output, run: Run, { after, until, signal }: ShowOptions): Promise<Outcome> {
  for await (const event of run.events({ ...(after !== undefined && { after }), until, signal })) {
    out.item('event', { ...event }, () => eventLine(out, event));
  }
  return run.outcome({ signal });
}

/** Reports a run's outcome, after its events. */
export function tellOutcome({ out, paste }: Context, id: string, outcome: Outcome): void {
  if (outcome.status === 'failed') out.note(`${out.notePaint.red('failed')} ${id}: ${oneLine(outcome.error.message)}`);
  if (outcome.status === 'suspended') out.hint(suspendedHint(paste, id));
  if (outcome.status === 'waiting') {
    out.hint(
      `${id} is waiting for ${outcome.waits.map((wait) => ('name' in wait ? wait.name : wait.kind)).join(', ')}.`,
    );
    for (const command of answerCommands(paste, id, outcome.waits)) out.hint(`  ${command}`);
  }
}

/** One event in one line. */
export function eventLine(out: Output, event: RunEvent): string {
  const when = out.isTerminal ? out.paint.dim(clockTime(event.at)) : event.at.toISOString();
  return `${when}  ${out.paint.dim(`@${event.seq}`.padEnd(5))} ${textOf(out, event)}`;
}

function taskOf({
  node,
  item,
}: {
  readonly node: string;
  readonly item?: { readonly index: number; readonly of: number };
}): string {
  return item === undefined ? printable(node) : `${printable(node)} ${item.index + 1}/${item.of}`;
}

function clockTime(at: Date): string {
  return at.toTimeString().slice(0, 8);
}

function textOf({ paint }: Output, event: RunEvent): string {
  switch (event.type) {
    case 'turn':
      return `${paint.bold('turn')} ${event.turn ?? 'starts'}`;
    case 'node-start':
    case 'node-end':
      return `${paint.cyan(taskOf(event))} ${event.type === 'node-start' ? 'starts' : 'done'}${event.replayed ? ' (replayed)' : ''}`;
    case 'node-error':
      return `${paint.red(taskOf(event))} failed (attempt ${event.attempt})${failureText({ ...event, step: undefined })}`;
    case 'step-start':
    case 'step-end':
      return `${paint.cyan(taskOf(event))} ${event.type === 'step-start' ? 'runs' : 'ran'} ${printable(event.step)}${event.replayed ? ' (replayed)' : ''}`;
    case 'step-error':
      return `${paint.red(taskOf(event))} ${printable(event.step)} failed (attempt ${event.attempt})${failureText(event)}`;
    case 'emit':
      return `${paint.dim('emit')} ${shortValue(event.data, 100)}`;
    case 'log':
      return `${paint.cyan(taskOf(event))} ${oneLine(event.message)}${event.data === undefined ? '' : ` ${shortValue(event.data, 100)}`}`;
    case 'checkpoint':
      return `${paint.bold(`super-step ${event.superstep}`)} ${event.changed.length === 0 ? 'nothing changed' : `changed ${event.changed.map(String).map(printable).join(', ')}`}`;
    case 'wait':
      return `${paint.yellow('waits')} for ${waitText(event.wait)}`;
    case 'wait-end':
      return `${paint.yellow('waited')} (${event.how}${event.by === undefined ? '' : ` by ${printable(event.by)}`})`;
    case 'refused':
      return `${paint.red('refused')} ${oneLine(event.error.message)}`;
    case 'run-end':
      return event.status === 'completed' ? paint.green(event.status) : paint.red(event.status);
  }
}

/** What a run waits for: a question with what it shows, or the kind of the wait. */
function waitText(wait: Wait): string {
  if (wait.kind !== 'ask') return wait.kind;
  return wait.show === undefined ? printable(wait.name) : `${printable(wait.name)}: ${shortValue(wait.show, 100)}`;
}
