import { describe, expect, test } from 'vitest';
import { openEngine } from '../../src/engine/open.ts';
import { openStoreAt } from '../../src/engine/open-store-at.ts';
import { exportLine } from '../../src/engine/transfer/export-line.ts';
import { nodeEnv } from '../../src/env/node-env.ts';
import { memoryStore } from '../../src/store/memory/open.ts';
import { all, describeEverywhere } from '../engine/every-place.ts';
import { exported, inPieces } from '../engine/exported.ts';
import { asking, graphs, populate } from '../faults/moves/population.ts';
import { fileOf, type Line, linesOf } from './export-file.ts';

/** The export of a run, as lines to tamper with. */
async function exportOf(id: string): Promise<Line[]> {
  await using engine = await openEngine(memoryStore(), { graphs });
  await populate(engine);
  return linesOf(await exported(engine.export(id)));
}

/** Changes the header of the last run in the file, which is its root. */
function withHeader(lines: readonly Line[], change: Line): Line[] {
  const root = lines.findLastIndex((line) => 'runId' in line);
  return lines.map((line, at) => (at === root ? { ...line, ...change } : line));
}

type Tamper = (lines: readonly Line[]) => Line[];
const header =
  (change: Line): Tamper =>
  (lines) =>
    withHeader(lines, change);

const noHeader = { status: 'waiting', superstep: 0, frontier: [], waits: [], wakeAt: null, tags: {} };

const tampered: readonly (readonly [what: string, id: string, Tamper])[] = [
  ['half a surrogate pair as the graph', 'done-0', header({ graph: '\ud800' })],
  ['NUL in the graph', 'done-0', header({ graph: 'a\0b' })],
  ['an empty graph', 'done-0', header({ graph: '' })],
  ['a head and a floor at the end of all numbers', 'done-0', header({ head: 2 ** 53 - 1, floor: 2 ** 53 - 1 })],
  ['a date that no calendar has', 'done-0', header({ createdAt: 9e15 })],
  ['a floor without a snapshot', 'done-0', (lines) => withHeader(lines.slice(0, 2), { floor: 3, head: 3 })],
  ['a run that is its own parent', 'done-0', header({ parentId: 'done-0' })],
  ['parents in a circle', 'mother', (lines) => withHeader(lines, { parentId: childOf(lines) })],
  ['a turn without a payload', 'done-0', appended({ kind: 'turn', payload: {} })],
  ['a wait without a kind', 'waiting', appended({ kind: 'wait', payload: { node: 'run', name: 'ok', id: 'x' } })],
  ['an end with an unknown status', 'waiting', appended({ kind: 'run-end', payload: { status: 'gone' } })],
  ['a checkpoint in a graph run', 'waiting', appended({ kind: 'checkpoint' })],
  ['a second start', 'waiting', (lines) => [...lines, again(lines, 'run-start')]],
  [
    'a result for a node that is not there, and a wait',
    'waiting',
    (lines) => {
      const once = appended({ kind: 'result', payload: { node: 'ghost', name: 's', value: 1 } })(lines);
      return appended({ kind: 'wait', payload: { node: 'ghost', name: 'ok', id: 'x', kind: 'sleep' } })(once);
    },
  ],
  [
    'a record that is no object',
    'done-0',
    (lines) => lines.map((line) => ('record' in line ? { ...line, record: 1 } : line)),
  ],
  ['a checkpoint without a head', 'loop', (lines) => withSnapshot(lines, { head: null })],
  ['a checkpoint without a state', 'loop', (lines) => withSnapshot(lines, { body: { state: 1 } })],
  ['a checkpoint with half a seal', 'loop', (lines) => withSnapshot(lines, { sealed: { head: {} } })],
  ['a frontier that is no list of names', 'waiting', header({ header: { ...noHeader, frontier: [1] } })],
];

function withSnapshot(lines: readonly Line[], change: Line): Line[] {
  return lines.map((line) => ('snapshot' in line ? { ...line, ...change } : line));
}

function childOf(lines: readonly Line[]): unknown {
  return lines.find((line) => 'runId' in line && line['parentId'] !== null)?.['runId'];
}

/** Adds a record at the end, and the head that goes with it. */
function appended(record: Line): Tamper {
  return (lines) => {
    const seq = Number(lines.findLast((line) => 'seq' in line)?.['seq']) + 1;
    return [...withHeader(lines, { head: seq }), { seq, record: { v: 1, at: 1, ...record } }];
  };
}

function again(lines: readonly Line[], kind: string): Line {
  const found = lines.find((line) => (line['record'] as Line | undefined)?.['kind'] === kind) as Line;
  return { ...found, seq: Number(lines.at(-1)?.['seq']) + 1 };
}

describeEverywhere('import() of a hostile file', (place) => {
  test.each(tampered)('refuses %s, and the store stays usable', async (_, id, tamper) => {
    const engine = await place().open({ graphs });
    const lines = await exportOf(id);
    await expect(engine.import(fileOf(tamper(lines)))).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
    expect(await all(engine.runs())).toEqual([]);
    expect(await engine.verify()).toMatchObject({ ok: true, records: 0 });
    await engine.import(fileOf(lines));
    expect(await engine.delete(id)).toBe(true);
    expect(await all(engine.runs())).toEqual([]);
  });
});

/** Texts that are no record: each is put in the place of the last record of a file, under a good checksum. */
const texts: readonly (readonly [what: string, text: string])[] = [
  ['a line that is no JSON', '{"seq":1,"record":{"v":1,]}'],
  ['a line that is a list of itself', '{"seq":1,"record":{"v":1}}{}'],
  [
    'a record nested without end',
    `{"seq":3,"record":{"v":1,"kind":"note","at":1,"payload":${'['.repeat(200_000)}${']'.repeat(200_000)}}}`,
  ],
  [
    'a bigint of eight million digits',
    `{"seq":3,"record":{"v":1,"kind":"note","at":1,"payload":{"$bigint":"${'9'.repeat(8e6)}"}}}`,
  ],
];

async function* streamOfTexts(): AsyncGenerator<string> {
  yield '{"holdfast":1}\n';
}

describeEverywhere('import() of a hostile text', (place) => {
  test.each(texts)('refuses %s with its line, whole and as a stream', async (_, text) => {
    const engine = await place().open({ graphs });
    const lines = await exportOf('done-0');
    const at = lines.findIndex((line) => line['seq'] === 3);
    const file = fileOf(lines, (line) => (line === lines[at] ? text : JSON.stringify(line)));
    for (const source of [file, inPieces(file, 60_000)]) {
      await expect(engine.import(source)).rejects.toMatchObject({
        code: 'HOLDFAST_CORRUPT',
        details: { line: at + 1 },
      });
    }
    expect(await all(engine.runs())).toEqual([]);
    expect(await engine.verify()).toMatchObject({ ok: true, records: 0 });
  });

  test.each([
    ['a text', '{"holdfast":1}\n'],
    ['nothing', undefined],
    ['an object', {}],
    ['a list without end of nothing', Object.assign([], { length: 2 ** 32 - 1 })],
    ['a stream of texts', streamOfTexts()],
  ])('refuses %s, which are no bytes', async (_, source) => {
    const engine = await place().open();
    await expect(engine.import(source as never)).rejects.toMatchObject({
      code: 'HOLDFAST_INVALID_OPTION',
      details: { option: 'source' },
    });
  });

  test('refuses headers without end before they fill the memory', async () => {
    const engine = await place().open({ graphs });
    const lines = await exportOf('waiting');
    const tags = Object.fromEntries(Array.from({ length: 2_000 }, (_, at) => [`tag ${at}`, 'x'.repeat(250)]));
    const base = lines.find((line) => 'runId' in line) as Line;
    async function* flood(): AsyncGenerator<Uint8Array> {
      yield Buffer.from(exportLine(1, JSON.stringify(lines[0]).slice(0, -1)));
      for (let at = 2; ; at += 1) {
        const header = { ...(base['header'] as Line), tags };
        const run = { ...base, runId: `r${at}`, end: 'hidden', head: 0, floor: 0, header };
        yield Buffer.from(exportLine(at, JSON.stringify(run).slice(0, -1)));
      }
    }
    await expect(engine.import(flood())).rejects.toMatchObject({ code: 'HOLDFAST_TOO_LARGE' });
    expect(await all(engine.runs())).toEqual([]);
  });

  test('a run that claims to wait for itself can be resumed, looked at and deleted', async () => {
    const engine = await place().open({ graphs });
    const itself = { id: 'waiting', kind: 'child', name: 'c', node: 'run', since: 1 };
    const lines = withHeader(await exportOf('waiting'), { header: { ...noHeader, waits: [itself] } });
    await engine.import(fileOf(lines));
    const run = await engine.get(asking, 'waiting');
    expect(await all(engine.asks({ under: 'waiting' }))).toEqual([]);
    await run.resume();
    expect(await run.outcome()).toMatchObject({ status: 'waiting' });
    await run.cancel();
    expect(await engine.delete('waiting')).toBe(true);
  });
});

describeEverywhere('a store that holds what no engine wrote', (place) => {
  /** Records of kinds that anyone may write, with payloads that make no sense. */
  const payloads: readonly (readonly [kind: 'answer' | 'message' | 'cancel' | 'settle', payload: unknown])[] = [
    ['message', {}],
    ['message', { turn: 1 }],
    ['answer', null],
    ['cancel', 'text'],
    ['settle', { key: 'k' }],
  ];

  test.each(payloads)('a %s with the payload %j is corrupt, and the run can be deleted', async (kind, payload) => {
    const there = place();
    const engine = await there.open({ graphs });
    await (await engine.start(asking, { of: 'kelp' }, { id: 'r' })).outcome();
    const { head } = await (await engine.get('r')).summary();
    await engine.close();
    const store = await openStoreAt(there.store, nodeEnv);
    await store.commit({ runId: 'r', writer: { by: 'external' }, expect: head, entries: [{ kind, at: 1, payload }] });
    await store.close();
    const again = await there.open({ graphs });
    const corrupt = { code: 'HOLDFAST_CORRUPT', message: new RegExp(`r@${head + 1}`, 'u') };
    const run = await again.get('r');
    await expect(run.state()).rejects.toMatchObject(corrupt);
    await expect(run.resume()).rejects.toMatchObject(corrupt);
    await expect(all(again.export('r'))).rejects.toMatchObject(corrupt);
    expect(await again.verify()).toMatchObject({ ok: false, corruption: [{ where: `r@${head + 1}` }] });
    expect(await again.recover()).toBeLessThan(2);
    expect((await all(again.runs())).map(({ id }) => id)).toEqual(['r']);
    expect(await again.delete('r')).toBe(true);
    expect(await again.verify()).toMatchObject({ ok: true });
  });
});

describe('import() of an honest file', () => {
  test('reads what the tests tamper with', async () => {
    await using engine = await openEngine(memoryStore(), { graphs });
    for (const id of ['done-0', 'waiting', 'mother']) await engine.import(fileOf(await exportOf(id)));
    const waiting = await engine.get(asking, 'waiting');
    await waiting.answer('ok', true);
    expect(await waiting.result()).toBe('kelp: 4');
  });
});
