// What the run page draws: bars, questions, checkpoints with what changed, previews of forks, and what a deploy would strand.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { graph, list, workflow } from 'holdfast';
import { sqliteStore } from 'holdfast/sqlite';
import { expect, onTestFinished, test } from 'vitest';
import { z } from 'zod';
import type { ForkPreviewJson, GraphCheckJson, QuestionsJson, TimelineJson } from '../src/schema/timeline-types.ts';
import type { CheckpointJson, RunDetailsJson } from '../src/schema/types.ts';
import { pathHere, testEverywhere } from './every-store.ts';
import { graphs, openHere, refunds, served } from './fixture.ts';
import { bundleServerProgram } from './program.ts';

/** A body runs again for each try of its steps. */
let tries = 0;

function second(): number {
  tries += 1;
  if (tries < 3) throw new Error(`try ${tries}`);
  return tries;
}

const flaky = workflow('flaky', { input: z.object({}) }, async (_, { step }) => {
  await step('first', () => 1);
  await step('second', second, { retry: { attempts: 3, backoff: '1ms' } });
  return 'done';
});

async function timelineOf(here: Awaited<ReturnType<typeof served>>, id: string): Promise<TimelineJson> {
  return (await here.ask('GET', `/runs/${id}/timeline`)).body;
}

function bars({ spans }: TimelineJson): readonly unknown[] {
  return spans.map(({ kind, node, name, attempt, status }) => [kind, name ?? node, attempt, status]);
}

testEverywhere('the timeline has every try of a node and a step', async () => {
  tries = 0;
  const engine = await openHere({ graphs: [flaky] });
  const here = await served({ engine });
  await engine.start(flaky, {}, { id: 'f' }).result();
  const timeline = await timelineOf(here, 'f');
  expect(bars(timeline)).toEqual([
    ['step', 'first', 1, 'executed'],
    ['step', 'second', 1, 'failed'],
    ['step', 'second', 2, 'failed'],
    ['step', 'second', 3, 'executed'],
    ['node', 'main', 1, 'executed'],
  ]);
  expect(timeline).toMatchObject({ from: 1, isCut: false, takeovers: [] });
  const [first, , , last, node] = timeline.spans;
  expect(timeline.spans[1]?.error?.message).toContain('try 1');
  // A call begins where the one before it ended.
  expect(timeline.spans[1]?.from).toBe(first?.until);
  expect(node?.from).toBe(first?.from);
  expect(Date.parse(node?.until ?? '')).toBeGreaterThanOrEqual(Date.parse(last?.until ?? ''));
});

testEverywhere('a wait is a bar, and so is the node that waits', async () => {
  const here = await served();
  await here.engine.start(refunds, { order: 'o', cents: 1 }, { id: 'r' }).outcome();
  expect(bars(await timelineOf(here, 'r'))).toEqual([
    ['node', 'lookup', 1, 'executed'],
    ['ask', 'approve', 1, 'waiting'],
    ['node', 'approve', 1, 'waiting'],
  ]);
  await here.ask('POST', '/runs/r/answer', { name: 'approve', value: { ok: true } });
  await here.engine.get('r').result();
  const { spans } = await timelineOf(here, 'r');
  expect(spans[1]).toMatchObject({ kind: 'ask', status: 'executed', by: 'local' });
  expect(spans.at(-1)).toMatchObject({ kind: 'node', node: 'approve', superstep: 1, status: 'executed' });
});

const careful = workflow('careful', { input: z.object({}) }, async (_, { step }) => {
  await step('kept', () => 1);
  await step('cut', () => 2);
  return 'done';
});

/** Executes one run whose second step never ends, and says so. */
const victim = `
import { openEngine, workflow } from 'holdfast';
import { z } from 'zod';
const careful = workflow('careful', { input: z.object({}) }, async (_, { step }) => {
  await step('kept', () => 1);
  await step('cut', async () => {
    console.log('begun');
    await new Promise((resolve) => setInterval(resolve, 3_600_000));
  });
});
const engine = await openEngine('sqlite:' + process.argv[2], { graphs: [careful], workerId: 'first', lease: '1h' });
engine.start(careful, {}, { id: 'c' });
`;

test('a takeover says what was replayed and cut off, and the lease says that the worker is dead', async () => {
  const path = pathHere();
  const program = await bundleServerProgram('timeline-victim', victim);
  const first = spawn(process.execPath, [program, path], { stdio: ['ignore', 'pipe', 'inherit'] });
  onTestFinished(() => void first.kill('SIGKILL'));
  await once(createInterface({ input: first.stdout }), 'line');
  const engine = await openHere({ graphs: [careful], workerId: 'second' }, sqliteStore(path));
  const here = await served({ engine });
  const lease = async (): Promise<unknown> => ((await here.ask('GET', '/runs/c')).body as RunDetailsJson).lease;
  expect(await lease()).toEqual({ worker: 'first', fence: 1, until: expect.any(String), takeovers: 0 });
  expect(bars(await timelineOf(here, 'c'))).toEqual([
    ['step', 'kept', 1, 'executed'],
    ['node', 'main', 1, 'executing'],
  ]);
  first.kill('SIGKILL');
  await once(first, 'exit');
  await expect.poll(lease).toEqual({ worker: 'first', fence: 1, until: null, takeovers: 0 });
  expect(bars(await timelineOf(here, 'c')).at(-1)).toEqual(['node', 'main', 1, 'killed']);
  await engine.recover();
  await engine.get('c').result();
  const timeline = await timelineOf(here, 'c');
  expect(bars(timeline)).toEqual([
    ['step', 'kept', 1, 'executed'],
    ['node', 'main', 1, 'killed'],
    ['step', 'cut', 1, 'killed'],
    ['step', 'cut', 1, 'executed'],
    ['node', 'main', 1, 'executed'],
  ]);
  expect(timeline.spans.map(({ mark }) => mark)).toEqual(['replayed', null, null, null, null]);
  const told = { worker: 'second', from: 'first', noticed: 'death', fence: 2, seq: 3, kept: 0, replayed: 1, killed: 1 };
  expect(timeline.takeovers).toMatchObject([told]);
});

testEverywhere('questions say who answered what, and which are open', async () => {
  const here = await served();
  await here.engine.start(refunds, { order: 'o', cents: 7 }, { id: 'r' }).outcome();
  const questions = async (): Promise<QuestionsJson['questions']> =>
    ((await here.ask('GET', '/runs/r/questions')).body as QuestionsJson).questions;
  expect(await questions()).toMatchObject([
    { name: 'approve', node: 'approve', show: { cents: 7 }, answerSchema: { type: 'object' }, status: 'open' },
  ]);
  await here.ask('POST', '/runs/r/answer', { name: 'approve', value: { ok: true } });
  await here.engine.get('r').result();
  expect(await questions()).toMatchObject([{ status: 'answered', answer: { ok: true }, by: 'local' }]);
  await here.engine.start(refunds, { order: 'o', cents: 7 }, { id: 'x' }).outcome();
  await here.engine.get('x').cancel();
  const { questions: gone } = (await here.ask('GET', '/runs/x/questions')).body as QuestionsJson;
  expect(gone).toMatchObject([{ status: 'withdrawn' }]);
});

testEverywhere('checkpoints say what ran and what it changed', async () => {
  const here = await served();
  await here.engine.start(refunds, { order: 'o', cents: 7 }, { id: 'r' }).outcome();
  await here.engine.get('r').fork({ id: 'f', set: { cents: 8 }, label: 'cheaper' });
  const list = async (path: string): Promise<readonly CheckpointJson[]> =>
    ((await here.ask('GET', path)).body as { checkpoints: readonly CheckpointJson[] }).checkpoints;
  const own = await list('/runs/r/checkpoints');
  expect(own.map(({ kind, nodes, changed }) => [kind, nodes, changed])).toEqual([
    ['superstep', ['lookup'], ['log']],
    ['run-start', [], ['log', 'order', 'cents']],
  ]);
  expect(own.map(({ bytes }) => bytes)).toEqual([expect.any(Number), expect.any(Number)]);
  expect(Math.min(...own.map(({ bytes }) => bytes))).toBeGreaterThan(2);
  expect(await list('/runs/f/checkpoints')).toHaveLength(3);
  expect(await list('/runs/f/checkpoints?own=true')).toMatchObject([{ kind: 'fork', changed: ['cents'] }]);
  const [newest] = await list('/runs/r/checkpoints?limit=1');
  expect(newest).toEqual(own[0]);
  const { checkpoints } = (await here.ask('GET', '/runs/f/tree?n=1')).body as {
    checkpoints: Record<string, readonly CheckpointJson[]>;
  };
  expect(checkpoints['r']).toEqual([own[0]]);
  expect(checkpoints['f']).toMatchObject([{ label: 'cheaper' }]);
});

testEverywhere('a preview of a fork says what is shared, what changes and what runs', async () => {
  const here = await served();
  await here.engine.start(refunds, { order: 'o', cents: 7 }, { id: 'r' }).outcome();
  const body = { at: 'r@1', set: { cents: 9, customer: { email: 'a@b.example' }, nope: 1 } };
  const { body: preview } = await here.ask('POST', '/runs/r/fork/preview', body);
  expect(preview as ForkPreviewJson).toMatchObject({
    at: { id: 'r@1' },
    next: ['lookup'],
    reused: [{ id: 'r@1' }],
    runs: [
      { node: 'lookup', isNext: true },
      { node: 'approve', isNext: false },
    ],
    patch: [
      { op: 'replace', path: '/cents', before: 7, after: 9 },
      { op: 'add', path: '/customer', after: { email: 'a@b.example' } },
      { op: 'add', path: '/nope', after: 1 },
    ],
    unknown: ['nope'],
  });
  expect(await here.engine.runs().toArray()).toHaveLength(1);
});

testEverywhere('a check counts the unfinished runs by version, and says what a build lacks', async () => {
  const older = graph('refunds', { version: 1, state: { order: z.string(), cents: z.int(), log: list(z.string()) } })
    .node('manual', async ({ sleep }) => {
      await sleep('1h');
      return {};
    })
    .edge('start', 'manual')
    .edge('manual', 'end')
    .compile();
  const engine = await openHere({ graphs: [older] });
  await engine.start(older, { order: 'o', cents: 1 }, { id: 'old' });
  await expect.poll(async () => (await engine.get('old').summary()).status).toBe('waiting');
  const here = await served({ engine, graphs });
  const { body } = await here.ask('GET', '/graphs/refunds/check');
  expect(body as GraphCheckJson).toMatchObject({
    versions: [{ version: 1, unfinished: 1, stranded: 1 }],
    stranded: [{ runId: 'old', version: 1 }],
    isCut: false,
  });
  expect((await here.ask('GET', '/graphs/nope/check')).status).toBe(404);
});
