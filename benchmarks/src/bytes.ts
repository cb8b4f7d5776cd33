import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { channel, counter, type Engine, graph, list, openEngine } from 'holdfast';
import { encodeValue } from '../../packages/core/src/value/codec/codec.ts';
import { bytesIn } from './disk-size.ts';
import { openLangGraph } from './peers.ts';
import type { Report } from './report.ts';
import { inScratch } from './scratch.ts';
import { runToEnd, trivialLoop } from './trivial-graph.ts';

const steps = 400;
const itemBytes = 1_024;
const trivialSteps = 10_000;
const savedMessages = 1_000;
const saveRounds = 200;
const mixedSteps = 1_000;
const mapKeys = 50;
/** What a step may cost besides its change. */
const stepOverhead = 256;
const megabyte = 1_048_576;

/** A message of 1 KB a step. */
const talk = graph('talk', { state: { n: counter(), items: list<string>() } })
  .node('a', ({ state }) => ({ n: 1, items: textOf(state.n, itemBytes) }))
  .edge('start', 'a')
  .route('a', ['a', 'end'], ({ n }) => (n >= steps ? 'end' : 'a'))
  .compile();

/** A message of 1 KB a step, and one key of an object of 50 KB. */
const mixed = graph('mixed', {
  state: { n: counter(), items: list<string>(), page: channel<Record<string, string>>() },
})
  .node('a', ({ state }) => ({
    n: 1,
    items: textOf(state.n, itemBytes),
    page: { ...(state.page ?? wholePage()), [`key-${state.n % mapKeys}`]: textOf(state.n, itemBytes) },
  }))
  .edge('start', 'a')
  .route('a', ['a', 'end'], ({ n }) => (n >= mixedSteps ? 'end' : 'a'))
  .compile();

function wholePage(): Record<string, string> {
  return Object.fromEntries(Array.from({ length: mapKeys }, (_, at) => [`key-${at}`, textOf(at, itemBytes)]));
}

/** No two alike, so that nothing can be saved by their being the same. */
function textOf(index: number, bytes: number): string {
  return `${index} `.padEnd(bytes, 'abcdefghijklmnopqrstuvwxyz');
}

/** The same 1 KB a step, saved by a loop of the user's own: one object that it changes, and saves whole each time. */
async function saveInLoop({ checkpoints }: Engine): Promise<void> {
  const state = { n: 0, items: [] as string[] };
  for (let step = 0; step < steps; step += 1) {
    state.n += 1;
    state.items.push(textOf(step, itemBytes));
    await checkpoints.save('loop', { state });
  }
}

/** What saving a state takes of the processor, in times of what encoding it takes: messages, one more each time. */
async function saveCost(): Promise<number> {
  await using engine = await openEngine('memory:');
  const messages = Array.from({ length: savedMessages }, (_, at) => messageOf(at));
  const state = { messages };
  await engine.checkpoints.save('loop', { state });
  let saving = 0;
  let encoding = 0;
  for (let round = 0; round < saveRounds; round += 1) {
    messages.push(messageOf(messages.length));
    saving += await cpuOf(() => engine.checkpoints.save('loop', { state }));
    encoding += await cpuOf(async () => encodeValue(state));
  }
  return saving / encoding;
}

function messageOf(at: number): object {
  return { id: `message-${at}`, role: 'user', content: [{ type: 'text', text: textOf(at, 64) }], at };
}

/** Microseconds of the processor. */
async function cpuOf(work: () => Promise<unknown>): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return user + system;
}

/** What runs take of the disk: bytes follow the change, never the length of the history. */
export async function bytes(): Promise<Report> {
  const sqlite = await allOf((folder) => `sqlite:${join(folder, 'bench.db')}`);
  const file = await allOf((folder) => `file:${join(folder, 'bench')}`);
  const peer = await langGraphBytes();
  const talkChanges = steps * (itemBytes + stepOverhead);
  const mixedChanges = mixedSteps * (2 * itemBytes + stepOverhead) + mapKeys * itemBytes;
  return {
    settings: { steps, itemBytes, mixedSteps, mapKeys, trivialSteps, node: process.version },
    figures: [
      { name: 'sqlite: 400 steps of 1 KB', value: sqlite.talk / megabyte, unit: 'MB', atMost: 1 },
      { name: 'sqlite: 400 checkpoints of 1 KB more', value: sqlite.saved / megabyte, unit: 'MB', atMost: 1 },
      { name: 'saving a state ÷ encoding it', value: await saveCost(), unit: 'ratio', atMost: 2 },
      { name: 'sqlite: the same ÷ changes', value: sqlite.talk / talkChanges, unit: 'ratio', atMost: 2.4 },
      { name: 'sqlite: list and object ÷ changes', value: sqlite.mixed / mixedChanges, unit: 'ratio', atMost: 2.4 },
      { name: 'sqlite: a trivial step', value: sqlite.trivial / trivialSteps, unit: 'B', atMost: 128 },
      { name: 'file: the 400 steps ÷ changes', value: file.talk / talkChanges, unit: 'ratio', atMost: 2.4 },
      { name: 'file: the 400 checkpoints ÷ changes', value: file.saved / talkChanges, unit: 'ratio', atMost: 2.4 },
      { name: 'file: list and object ÷ changes', value: file.mixed / mixedChanges, unit: 'ratio', atMost: 2.4 },
      { name: 'file: a trivial step', value: file.trivial / trivialSteps, unit: 'B' },
      { name: 'LangGraph + SQLite: the 400 steps', value: peer / megabyte, unit: 'MB' },
      { name: 'LangGraph ÷ Holdfast on SQLite', value: peer / sqlite.talk, unit: 'ratio' },
    ],
  };
}

interface Sizes {
  readonly talk: number;
  readonly saved: number;
  readonly mixed: number;
  readonly trivial: number;
}

async function allOf(urlIn: (folder: string) => string): Promise<Sizes> {
  const runBytes = (work: (engine: Engine) => Promise<unknown>): Promise<number> =>
    inScratch(async (scratch) => {
      const folder = join(scratch, 'store');
      mkdirSync(folder);
      const used = async (task: (engine: Engine) => Promise<unknown>): Promise<number> => {
        await using engine = await openEngine(urlIn(folder) as 'memory:');
        await task(engine);
        await engine.close();
        return bytesIn(folder);
      };
      const empty = await used(async () => {});
      return (await used(work)) - empty;
    });
  return {
    talk: await runBytes((engine) => runToEnd(engine, talk, steps)),
    saved: await runBytes(saveInLoop),
    mixed: await runBytes((engine) => runToEnd(engine, mixed, mixedSteps)),
    trivial: await runBytes((engine) => runToEnd(engine, trivialLoop(trivialSteps), trivialSteps)),
  };
}

async function langGraphBytes(): Promise<number> {
  return inScratch(async (folder) => {
    const peer = await openLangGraph({ saver: 'sqlite', path: join(folder, 'peer.db'), itemBytes });
    await peer.measure({ runs: 1, steps });
    await peer.close();
    return bytesIn(folder);
  });
}
