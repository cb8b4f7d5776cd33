// Issue item: imports. What is in a store is validated by kind, and no store gets into a state that nobody gets it out of.
// Each case was found by the fuzz.
import { graph, list } from 'holdfast';
import { beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { all, describeEverywhere } from '../engine/every-place.ts';
import { graphs } from '../faults/moves/population.ts';
import { type PlainRun, realRuns, writeRuns } from '../fuzz/record-case.ts';

let runs: readonly PlainRun[] = [];
beforeAll(async () => {
  runs = await realRuns();
});

/** A real run, with some of its records changed. */
function tampered(id: string, change: (records: PlainRun['records']) => PlainRun['records']): PlainRun {
  const run = runs.find(({ header }) => header.runId === id);
  if (run === undefined) throw new Error(`there is no run ${id}`);
  return { ...run, records: change(run.records) };
}

/** The same, with another payload in the first record of a kind. */
function withPayload(id: string, kind: string, payload: unknown): PlainRun {
  return tampered(id, (records) => {
    const at = records.findIndex((record) => record['kind'] === kind);
    return records.with(at, { ...records[at], payload });
  });
}

/** A text of this depth, and no tag in it. */
function nested(depth: number): unknown {
  return JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`) as unknown;
}

const corrupt = { code: 'HOLDFAST_CORRUPT' };

describeEverywhere('a store with hostile records', (place) => {
  const unreadable: readonly (readonly [what: string, () => PlainRun])[] = [
    ['a wait without a kind', () => withPayload('waiting', 'wait', { node: 'run', name: 'ok', id: 'x' })],
    [
      'a time that no calendar has',
      () => tampered('waiting', (records) => records.with(0, { ...records[0], at: 1e300 })),
    ],
    ['a start that is nothing', () => withPayload('waiting', 'run-start', null)],
    ['a format of a newer version', () => tampered('waiting', (all) => all.with(0, { ...all[0], v: 9 }))],
    [
      'a value that is too deep',
      () => withPayload('waiting', 'result', { node: 'main', name: 'price', value: nested(1_500) }),
    ],
  ];

  test.each(unreadable)('verifies, lists and deletes a run with %s', async (_, make) => {
    const here = place();
    await writeRuns(here.store, [make()]);
    const engine = await here.open({ graphs });
    await engine.verify();
    expect((await all(engine.runs())).map(({ id }) => id)).toEqual(['waiting']);
    expect(await engine.delete('waiting')).toBe(true);
    expect(await all(engine.runs())).toEqual([]);
  });

  test('tells of a record of a newer format, and verifies the rest', async () => {
    const here = place();
    const newer = tampered('waiting', (records) => records.with(0, { ...records[0], v: 9 }));
    await writeRuns(here.store, [newer, ...runs.filter(({ header }) => header.runId === 'done-0')]);
    const { ok, records, corruption } = await (await here.open()).verify();
    expect({ ok, corruption }).toMatchObject({
      ok: false,
      corruption: [{ what: expect.stringContaining('version 9') }],
    });
    expect(records).toBeGreaterThan(newer.records.length);
  });

  test.each([
    ['a super-step whose delta is null', { delta: null, next: [] }],
    ['a super-step with more items than memory', { counts: { count: 2 ** 40 }, next: [] }],
  ])('reads %s as corrupt', async (_, payload) => {
    const here = place();
    await writeRuns(here.store, [withPayload('done-0', 'superstep', payload)]);
    const run = await (await here.open({ graphs })).get('done-0');
    await expect(all(run.events({ until: 'idle' }))).rejects.toMatchObject(corrupt);
    await expect(run.outcome()).rejects.toMatchObject(corrupt);
  });

  test.each([
    ['a head that is null', { head: null }],
    ['a head from another calendar', { head: { at: 1e300 } }],
    ['a body that points nowhere', { body: { set: {} } }],
  ])('skips a checkpoint with %s', async (_, change) => {
    const loop = tampered('loop', (records) => records);
    const last = loop.snapshots.length - 1;
    const snapshots = loop.snapshots.map((snapshot, at) => (at === last ? { ...snapshot, ...change } : snapshot));
    const here = place();
    await writeRuns(here.store, [{ ...loop, snapshots }]);
    const { checkpoints } = await here.open();
    const [hostile, good] = [loop.snapshots[last]?.seq, loop.snapshots[last - 1]?.seq];
    expect(await checkpoints.latest('loop')).toMatchObject({ seq: good });
    await expect(checkpoints.load(`loop@${hostile}`)).rejects.toMatchObject(corrupt);
  });
});

describeEverywhere('an each', (place) => {
  test('has no more items than can be read again', async () => {
    const many = graph('many', { state: { size: z.int(), log: list<string>() } })
      .each(
        'item',
        ({ size }) => Array.from({ length: size }, () => 1),
        () => ({ log: 'x' }),
      )
      .edge('start', 'item')
      .edge('item', 'end')
      .compile();
    const engine = await place().open();
    const run = await engine.start(many, { size: 1_000_001 });
    expect(await run.outcome()).toMatchObject({ status: 'failed', error: { code: 'HOLDFAST_INVALID_VALUE' } });
  });
});
