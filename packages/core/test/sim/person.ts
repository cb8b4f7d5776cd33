import type { Engine } from '../../src/engine/engine.ts';
import type { Run, RunEvent } from '../../src/engine/graph-run.ts';
import { HoldfastError } from '../../src/errors/holdfast-error.ts';
import type { AnyGraph, Graph, Shape } from '../../src/graph/shape.ts';
import { CheckedStore } from '../../src/store/checked-store.ts';
import type { StoreDriver } from '../../src/store/contract/driver.ts';
import type { RunHeader } from '../../src/store/contract/run.ts';
import { type DiaryMemory, keepDiary } from './diary.ts';
import { cancelRun, forkAnywhere, headerOf, pruneNowAndThen } from './interventions.ts';
import { scene } from './scene.ts';
import type { SimProcess } from './sim-process.ts';
import { upgradedNew, upgradedOld } from './upgraded.ts';
import { answerTo, nobody, type Shown, type Workload } from './workload.ts';

interface AnsweredQuestion {
  readonly runId: string;
  readonly id: string;
  readonly name: string;
  readonly show: Shown;
}

/** A run that a simulation has. */
export interface ChosenRun {
  readonly id: string;
  readonly workload: Workload;
  readonly variant: number;
}

/** What people have done and what they have seen: it outlives the process that they do it in. */
export interface PersonMemory {
  /** What has been acknowledged. */
  readonly done: Set<string>;
  /** Runs for which there is nothing more to do. */
  readonly finished: Set<string>;
  /** Cursors of the events that a reader was given, and their types. */
  readonly read: { readonly cursor: string; readonly type: string; readonly seq: number }[];
  /** Questions whose answer was acknowledged. */
  readonly answered: AnsweredQuestion[];
  readonly diary: DiaryMemory;
}

interface PersonOptions {
  readonly engine: Engine;
  readonly process: SimProcess;
  readonly runs: readonly ChosenRun[];
  readonly memory: PersonMemory;
  /** The store itself, for what only its keeper would look at. */
  readonly raw: StoreDriver;
  /** Whether somebody prunes all runs meanwhile. */
  readonly prunes: boolean;
}

/** Starts runs, answers questions at random times, sends messages, and mends what failed. */
export function actAsPerson(options: PersonOptions): void {
  for (const run of options.runs) void lookAfter(options, run);
  void answerQuestions(options);
  void keepDiary(options.engine, options.process, options.memory.diary);
  if (options.prunes) void pruneNowAndThen(options);
  const [first] = options.runs;
  if (first !== undefined && scene().world.chance(0.5)) void readEvents(options, first.id);
}

async function lookAfter(options: PersonOptions, { id, workload, variant }: ChosenRun): Promise<void> {
  const { process, engine, memory } = options;
  const { world } = scene();
  const { graph } = workload;
  const act = (name: string, what: () => Promise<unknown>): Promise<void> =>
    insist(process, memory, `${id} ${name}`, what);
  const pause = (mostMs: number): Promise<void> => process.delay(world.random() * mostMs);
  await pause(200);
  const turn = workload.turns === undefined ? {} : { turn: 'turn-0' };
  const { early, late, pauseBefore } = workload;
  const settings = pauseBefore === undefined ? turn : { ...turn, pauseBefore };
  await act('start', () => engine.start(graph as Graph<Shape>, workload.input(variant), { id, ...settings }));
  const run = await get(options, id);
  if (early !== undefined && world.chance(0.5)) {
    await pause(100);
    await act('early', () => answer(run, early, { who: 'pay' }, undefined));
  }
  if (late !== undefined) await act('late', () => answerTooLate(options, run, late));
  if (pauseBefore !== undefined) {
    const set = workload.forkSet?.(variant);
    await act('fork', () => forkPaused(options, run, set));
    await act('resume fork', async () => resumeOnce(options, await engine.get(forkOf(id))));
    await act('resume', () => resumeOnce(options, run));
  }
  // Whatever has happened since, a repeat changes nothing.
  const again = new Map<string, () => Promise<unknown>>();
  for (const [at, message] of (workload.messages?.(variant) ?? []).entries()) {
    await pause(300);
    const send = async (): Promise<void> =>
      (await withSomeCode(options, run)).send(message.name as never, message.value, { id: `m${at}` });
    await act(`message ${at}`, send);
    again.set(`message ${at}`, send);
  }
  for (const [at, input] of (workload.turns?.(variant) ?? []).entries()) {
    await pause(300);
    const take = async (): Promise<unknown> =>
      engine.start(graph as Graph<Shape>, input, { id, turn: `turn-${at + 1}` });
    await act(`turn ${at}`, take);
    again.set(`turn ${at}`, take);
  }
  for (const [name, repeat] of again) {
    if (world.chance(0.6)) continue;
    await pause(300);
    await act(`${name} again`, repeat);
  }
  if (workload.forks !== undefined) {
    for (const [at, wanted] of workload.forks(variant).entries())
      await act(`fork ${at}`, () => forkAnywhere(options, run, at, wanted));
  }
  const { cancel } = workload;
  if (cancel !== undefined) await act('cancel', () => cancelRun(options, run, cancel(variant)));
  if (workload.isMended === true && variant < 3) await act('mend', () => mend(options, run));
  memory.finished.add(id);
}

/** Tries until it is acknowledged. */
async function insist(
  process: SimProcess,
  { done }: PersonMemory,
  name: string,
  act: () => Promise<unknown>,
): Promise<void> {
  const { world } = scene();
  while (!done.has(name)) {
    try {
      await act();
      done.add(name);
    } catch {
      await process.delay(20 + world.random() * 300);
    }
  }
}

async function get({ engine, process }: PersonOptions, id: string): Promise<Run> {
  for (;;) {
    try {
      return await engine.get(id);
    } catch {
      await process.delay(100);
    }
  }
}

/** The run as somebody sees it whose code was deployed before the run was migrated, or after, or who has none. */
async function withSomeCode({ engine, raw }: PersonOptions, run: Run): Promise<Run> {
  const header = await headerOf(raw, run.id);
  if (header?.graph !== upgradedOld.name) return run;
  const code = scene().world.pick<AnyGraph | undefined>([undefined, upgradedOld, upgradedNew]);
  return code === undefined ? run : ((await engine.get(code as Graph<Shape>, run.id)) as unknown as Run);
}

async function mend({ process, raw }: PersonOptions, run: Run): Promise<void> {
  const { world, mended } = scene();
  for (;;) {
    const header = await headerOf(raw, run.id);
    if (header?.status === 'failed') {
      await process.delay(world.random() * 200);
      mended.add(run.id);
      await run.resume();
      return;
    }
    // It was resumed, and only the answer was lost.
    if (header?.status === 'completed') return;
    await process.delay(100);
  }
}

/** The question is closed when the run rests: this answer must not reach the next one of its name. */
async function answerTooLate({ process, raw }: PersonOptions, run: Run, name: string): Promise<void> {
  await waitFor(process, raw, run.id, ({ waits }) => waits.some(({ kind }) => kind === 'receive'));
  try {
    await run.answer(name as never, 'too late', { by: 'bob' });
  } catch (error) {
    if (!HoldfastError.is(error, 'HOLDFAST_QUESTION_CLOSED')) throw error;
    if (scene().keepsLateAnswers) await keepAnswer({ process, raw }, run.id, name);
  }
}

/** What an engine would do that keeps every answer: a mutant. */
async function keepAnswer({ process, raw }: Pick<PersonOptions, 'process' | 'raw'>, runId: string, name: string) {
  const header = await headerOf(raw, runId);
  if (header === undefined) return;
  const payload = { name, value: 'too late', checked: true };
  await new CheckedStore(raw, process.env).commit({
    runId,
    writer: { by: 'external' },
    expect: header.head,
    epoch: header.epoch,
    entries: [{ kind: 'answer', at: process.env.clock.now(), payload }],
    header: {},
  });
}

/** The id of the fork of a run. */
function forkOf(id: string): string {
  return `${id}-fork`;
}

async function forkPaused({ process, raw }: PersonOptions, run: Run, set: object | undefined): Promise<void> {
  await waitFor(process, raw, run.id, isPaused);
  try {
    await run.fork({ id: forkOf(run.id), ...(set !== undefined && { set }) });
  } catch (error) {
    // It was made, and only the answer was lost.
    if (!HoldfastError.is(error, 'HOLDFAST_ID_TAKEN')) throw error;
  }
}

/** Resumes a run unless it was resumed and only the answer was lost. */
async function resumeOnce({ raw }: PersonOptions, run: Run): Promise<void> {
  const header = await headerOf(raw, run.id);
  if (header?.status === 'suspended' || (header !== undefined && isPaused(header))) await run.resume();
}

function isPaused({ waits }: RunHeader): boolean {
  return waits.some(({ kind }) => kind === 'pause');
}

async function waitFor(
  process: SimProcess,
  raw: StoreDriver,
  runId: string,
  isThere: (header: RunHeader) => boolean,
): Promise<void> {
  for (;;) {
    const header = await headerOf(raw, runId);
    if (header !== undefined && isThere(header)) return;
    await process.delay(50);
  }
}

async function answerQuestions(options: PersonOptions): Promise<void> {
  const { engine, process, memory } = options;
  const { world } = scene();
  for (;;) {
    await process.delay(60 + world.random() * 250);
    try {
      for await (const { id, runId, name, show } of engine.asks()) {
        if ((show as Shown).who === nobody.who || world.chance(0.3)) continue;
        const there = await engine.get(runId);
        await answer(await withSomeCode(options, there), name, show as Shown, id);
        memory.answered.push({ runId, id, name, show: show as Shown });
        if (world.chance(0.2)) await answer(there, name, show as Shown, id, options.prunes);
      }
      if (world.chance(0.2)) await repeatAnswer(options);
      await settleEffects(options);
    } catch {
      // Asks again: somebody else was faster, or the store did not answer.
    }
  }
}

async function answer(run: Run, name: string, show: Shown, id: string | undefined, isPruned = false): Promise<void> {
  try {
    await run.answer(name as never, answerTo(name, show), { id, by: 'ada' });
  } catch (error) {
    // Everybody says the same. What was pruned cannot be told from what was never asked.
    if (isPruned && HoldfastError.is(error, 'HOLDFAST_UNKNOWN_QUESTION')) return;
    if (HoldfastError.is(error, 'HOLDFAST_ALREADY_ANSWERED') || HoldfastError.is(error, 'HOLDFAST_UNKNOWN_QUESTION'))
      scene().ledger.violations.push(`an answer to ${name} of ${run.id} was refused: ${error.message}`);
    throw error;
  }
}

/** Says again what was acknowledged, however much has happened since. */
async function repeatAnswer({ engine, memory, prunes }: PersonOptions): Promise<void> {
  if (memory.answered.length === 0) return;
  const { runId, name, show, id } = scene().world.pick(memory.answered);
  await answer(await engine.get(runId), name, show, id, prunes);
}

/** Asks the other side what became of an effect, and tells the run. */
async function settleEffects({ engine, raw }: PersonOptions): Promise<void> {
  const { ledger } = scene();
  const { headers } = await raw.runs({ waits: 'effect', order: 'oldest', limit: 100 });
  for (const header of headers) {
    for (const { kind, id, name } of header.waits) {
      if (kind !== 'effect') continue;
      await (await engine.get(header.runId)).settle(id, ledger.happened(id) ? { result: name } : 'retry');
    }
  }
}

/** Whether an event is one that only those see who listen while it happens. */
function isLive(event: RunEvent): boolean {
  return event.type === 'node-start' || event.type === 'step-start' || ('replayed' in event && event.replayed);
}

/** Reads the events of a run as they come, from where it was whenever the stream breaks. */
async function readEvents(options: PersonOptions, id: string): Promise<void> {
  const { process, memory } = options;
  for (;;) {
    try {
      const run = await get(options, id);
      const after = memory.read.at(-1)?.cursor ?? 0;
      for await (const event of run.events({ after })) if (!isLive(event)) memory.read.push(event);
    } catch {
      // Reconnects.
    }
    await process.delay(400);
  }
}
