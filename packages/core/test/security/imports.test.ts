import { describe, expect, test } from 'vitest';
import { openEngine } from '../../src/engine/open.ts';
import { memoryStore } from '../../src/store/memory/open.ts';
import { all, describeEverywhere } from '../engine/every-place.ts';
import { exported } from '../engine/exported.ts';
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
  ['a frontier that is no list of names', 'waiting', header({ header: { ...noHeader, frontier: [1] } })],
];

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

describe('import() of an honest file', () => {
  test('reads what the tests tamper with', async () => {
    await using engine = await openEngine(memoryStore(), { graphs });
    for (const id of ['done-0', 'waiting', 'mother']) await engine.import(fileOf(await exportOf(id)));
    const waiting = await engine.get(asking, 'waiting');
    await waiting.answer('ok', true);
    expect(await waiting.result()).toBe('kelp: 4');
  });
});
