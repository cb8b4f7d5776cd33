import { mkdirSync, rmSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import type { Engine, Run } from 'holdfast';
import { type ComparedCall, compareLives, type Fate } from '../../demo/compare-lives.ts';
import { DemoProcess } from '../../demo/demo-process.ts';
import { demoRuns, fatalCall, watchedRun } from '../../demo/demo-runs.ts';
import { supportAgent } from '../../demo/support-agent.ts';
import { WatchedKill } from '../../demo/watched-kill.ts';
import { CliError } from '../../failure/cli-error.ts';
import type { ExitCode } from '../../failure/exit-code.ts';
import { follow } from '../../live/follow.ts';
import type { Output } from '../../output/output.ts';
import type { Cell } from '../../output/table.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import type { Context } from '../../program/context.ts';
import { listen } from '../../serving/listen.ts';
import { runTable } from '../look/runs.ts';

/** `holdfast demo`. */
export const demo: CommandFn<{ readonly continue?: boolean }> = async (context, _args, options) => {
  const file = resolve(context.cwd, '.holdfast/demo.db');
  const store = `sqlite:${file}` as const;
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  if (options.continue === true) return goOn(context, store);
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
  return begin(context, store);
};

type DemoStore = `sqlite:${string}`;

async function begin(context: Context, store: DemoStore): Promise<ExitCode> {
  const { out } = context;
  const { bold, red, green, dim } = out.paint;
  say(out, `${bold('1.')} A worker starts two agent runs ${dim('(scripted model, SQLite, no network)')}`);
  const first = await liveAndDie(store);
  say(out, `${bold('2.')} ${red('kill -9')} ${first.pid}, in the middle of "${fatalCall.call}" in ${fatalCall.runId}`);
  const { openEngine } = await import('holdfast');
  await using engine = await openEngine(store, { executes: false });
  const second = new DemoProcess({ life: 'second', store, onTrace: () => undefined });
  try {
    say(
      out,
      `${bold('3.')} Another worker ${dim(String(second.pid))} continues both runs as soon as the store notices the death`,
    );
    await settled(engine, second);
    const calls = compareLives(first.traces, second.traces);
    say(out, '');
    tellCalls(out, calls);
    const twice = calls.filter((call) => call.first === 'executed' && call.second === 'executed');
    if (twice.length > 0)
      throw CliError.failed(`The demo failed: ${twice.map(({ call }) => call).join(', ')} ran twice.`);
    say(out, `\n${green('No finished step ran twice.')}\n`);
    return await waitForPerson(context, { engine, store });
  } finally {
    await second.stop();
  }
}

/** Runs the first worker until it is killed. */
async function liveAndDie(store: DemoStore): Promise<DemoProcess> {
  const worker: DemoProcess = new DemoProcess({
    life: 'first',
    store,
    onTrace: ({ runId, call, how }) => {
      if (runId === fatalCall.runId && call === fatalCall.call && how === 'begun') worker.kill();
    },
  });
  const how = await worker.ended;
  if (how !== 'SIGKILL') throw CliError.failed(`The demo worker exited (${how}) before it could be killed.`);
  return worker;
}

/** Resolves when every run has ended or waits for a person. */
async function settled(engine: Engine, worker: DemoProcess): Promise<void> {
  const runs: Run[] = [];
  for (const { id } of demoRuns) runs.push(await engine.get(id));
  const died = worker.ended.then((how) => Promise.reject(CliError.failed(`The demo worker exited (${how}).`)));
  await Promise.race([Promise.all(runs.map((run) => run.outcome())), died]);
}

async function waitForPerson(
  context: Context,
  { engine, store }: { readonly engine: Engine; readonly store: DemoStore },
): Promise<ExitCode> {
  const { out } = context;
  await tellRuns(out, engine);
  const [last] = demoRuns.slice(-1);
  const run = await engine.get(last?.id ?? '');
  if ((await run.summary()).status !== 'waiting') return 0;
  const paste = (command: string): string => context.paste(command, { store: demoFlag(context, store) });
  const { bold, dim } = out.paint;
  say(out, `\n${bold(run.id)} is waiting for you. ${dim(out.isTerminal ? 'From another terminal:' : '')}`);
  say(out, `  ${paste(`answer ${run.id} approval ok=true --by you`)}`);
  say(out, `  ${paste(`log ${run.id} --graph`)}`);
  if (!out.isTerminal) {
    say(out, `  ${paste('demo --continue')}`);
    return 0;
  }
  await using server = await listen(engine, [supportAgent(() => undefined)], { store, port: '0' });
  const kill = new WatchedKill(store);
  try {
    if (await kill.ready) offerKill(out, kill, server.url);
    say(out, `\nThe studio, until you press Ctrl-C:\n  ${server.url}\n`);
    return await follow(context, { engine, run }, { after: run.cursor, until: 'end' });
  } finally {
    await kill.close(process.stdin);
  }
}

/** Somebody who has the page of the takeover open kills the worker, and watches. */
function offerKill(out: Output, kill: WatchedKill, url: string): void {
  const { bold, red } = out.paint;
  const { origin, search } = new URL(url);
  say(
    out,
    `\n${bold('Watch a worker die:')} process ${kill.pid} is in the middle of "${fatalCall.call}" in ${watchedRun.id}.`,
  );
  say(out, `  Open  ${origin}/runs/${watchedRun.id}/takeover${search}`);
  say(out, `  Then  press Enter here, or: kill -9 ${kill.pid}`);
  kill.onEnter(process.stdin, () =>
    say(out, `${red('kill -9')} ${kill.pid}: the other worker continues ${watchedRun.id}.`),
  );
}

async function goOn(context: Context, store: DemoStore): Promise<ExitCode> {
  const { openEngine } = await import('holdfast');
  await using engine = await openEngine(store, { executes: false });
  const worker = new DemoProcess({ life: 'second', store, onTrace: () => undefined });
  try {
    await settled(engine, worker);
    return await waitForPerson(context, { engine, store });
  } finally {
    await worker.stop();
  }
}

async function tellRuns(out: Output, engine: Engine): Promise<void> {
  await out.list({ names: { all: 'runs', one: 'run' }, items: engine.runs(), human: (all) => runTable(out, all) });
}

/** The store's URL, relative to the user's folder. */
function demoFlag({ cwd }: Context, store: DemoStore): string {
  return `sqlite:${relative(cwd, store.slice('sqlite:'.length))}`;
}

/** The narration is only for people. */
function say(out: Output, text: string): void {
  if (out.mode === 'human') out.text(`${text}\n`);
}

function tellCalls(out: Output, calls: readonly ComparedCall[]): void {
  const cell = (fate: Fate): Cell => ({ text: fate, paint: paintOf(out, fate) });
  const rows = calls.map(({ runId, call, first, second }) => [runId, call, cell(first), cell(second)]);
  if (out.mode === 'jsonl') for (const call of calls) out.item('demo-call', { ...call }, () => '');
  if (out.mode !== 'human') return;
  for (const line of out.table(['RUN', 'CALL', 'FIRST WORKER', 'SECOND WORKER'], rows)) out.line(line);
  say(out, out.paint.dim('\nkept: committed, so not executed again; replayed: result read from the journal'));
}

function paintOf({ paint }: Output, fate: Fate): (text: string) => string {
  if (fate === 'killed') return paint.red;
  return fate === 'executed' ? paint.green : paint.dim;
}
