import { expect, test } from 'vitest';
import { openEngine } from '../../src/engine/open.ts';
import { memoryStore } from '../../src/store/memory/open.ts';
import type { Store } from '../../src/store/store.ts';
import { pictureOf, wrongIn } from '../faults/moves/picture.ts';
import { asking, counting, graphs, mothering, populate, untilAsked } from '../faults/moves/population.ts';
import { all, storesOf } from './every-place.ts';
import { exported } from './exported.ts';

/** A store with runs of every kind, and what each of them is as a file. */
async function populated(store: Store): Promise<ReadonlyMap<string, Uint8Array>> {
  await using engine = await openEngine(store, { graphs });
  await populate(engine);
  const files = new Map<string, Uint8Array>();
  for await (const { id } of engine.runs()) files.set(id, await exported(engine.export(id)));
  for (const id of ['loop', 'loop-fork', 'agent']) files.set(id, await exported(engine.export(id)));
  return files;
}

test('an import has the records of every kind of run', async () => {
  const source = memoryStore();
  const files = await populated(source);
  const before = await pictureOf(source);
  for (const [id, file] of files) {
    const target = memoryStore();
    await using engine = await openEngine(target);
    const report = await engine.import(file);
    expect(report).toMatchObject({ runId: id, imported: report.runs, redacted: false });
    expect(await engine.import(file)).toMatchObject({ runId: id, imported: 0 });
    expect(await engine.verify()).toMatchObject({ ok: true });
    expect(contentOf(await exported(engine.export(id)))).toEqual(contentOf(file));
    const after = await pictureOf(target);
    expect(after.get(id)?.records).toEqual(before.get(id)?.records);
    expect(await wrongIn(target)).toEqual([]);
  }
});

test.each(storesOf())(
  'files of every kind of run, one after the other, make up the same runs on $name',
  async ({ create }) => {
    const source = memoryStore();
    const files = await populated(source);
    const target = create();
    await (async () => {
      await using engine = await openEngine(target);
      for (const file of files.values()) await engine.import(file);
      for (const file of files.values()) expect(await engine.import(file)).toMatchObject({ imported: 0 });
      for (const [id, file] of files) expect(contentOf(await exported(engine.export(id)))).toEqual(contentOf(file));
    })();
    expect(await wrongIn(target)).toEqual([]);
    const before = await pictureOf(source, { hidden: false });
    const after = await pictureOf(target, { hidden: false });
    expect([...after.keys()].toSorted()).toEqual([...before.keys()].toSorted());
    for (const [runId, { records }] of after) expect(records).toEqual(before.get(runId)?.records);
  },
);

/** The lines but for headers, which say that a run is suspended, and the end, which has a hash of them. */
function contentOf(file: Uint8Array): readonly string[] {
  const lines = new TextDecoder().decode(file).split('\n');
  return lines.filter((line) => !line.startsWith('{"runId"') && !line.startsWith('{"end"'));
}

test.each(storesOf())('what was imported into $name continues to the same end', async ({ create }) => {
  const files = await populated(memoryStore());
  await using engine = await openEngine(create(), { graphs });
  for (const id of ['waiting', 'sleeping', 'mother', 'failed', 'suspended', 'fork-of-fork', 'loop-fork']) {
    await engine.import(files.get(id) as Uint8Array);
  }
  expect(await engine.recover()).toBe(0);
  const waiting = await engine.get(asking, 'waiting');
  expect(await waiting.summary()).toMatchObject({
    status: 'suspended',
    waits: [{ kind: 'ask', name: 'ok' }],
    tags: { kind: 'kelp' },
  });
  expect(await waiting.outcome()).toMatchObject({ status: 'suspended' });
  await waiting.answer('ok', true);
  expect(await waiting.result()).toBe('kelp: 4');
  const sleeping = await engine.get(asking, 'sleeping');
  await sleeping.resume();
  expect(await sleeping.summary()).toMatchObject({ status: 'waiting', waits: [{ kind: 'sleep', name: 'nap' }] });
  const mother = await engine.get(mothering, 'mother');
  await mother.resume();
  const child = await engine.get(asking, await untilAsked(engine, 'mother'));
  await child.answer('ok', false);
  expect(await mother.result()).toBe('iron: no');
  expect(await (await (await engine.get('failed')).resume()).outcome()).toMatchObject({ status: 'failed' });
  const suspended = await engine.get(counting, 'suspended');
  await suspended.resume();
  expect(await suspended.result()).toMatchObject({ n: 5 });
  expect(await (await engine.get(counting, 'fork-of-fork')).state()).toMatchObject({ n: 9, to: 9 });
  expect((await engine.checkpoints.latest('loop-fork'))?.state).toMatchObject({ step: 10 });
  const again = await engine.checkpoints.save('loop-fork', { state: { step: 11 } });
  expect(again.id).toMatch(/^loop-fork@/);
  expect(await engine.verify()).toMatchObject({ ok: true });
});

test('nothing executes because of an import, whoever works', async () => {
  const files = await populated(memoryStore());
  const store = memoryStore();
  await using engine = await openEngine(store, { graphs });
  const stop = new AbortController();
  const working = engine.work({ signal: stop.signal }).done;
  for (const file of files.values()) await engine.import(file);
  // It has looked for work when it has found this.
  await using web = await openEngine(store, { executes: false });
  expect(await (await web.submit(counting, { to: 5 }, { id: 'other' })).result()).toMatchObject({ n: 5 });
  stop.abort();
  await working;
  const executed = await all(engine.runs({ status: ['pending', 'running', 'waiting'] }));
  const names = graphs.map(({ name }) => name);
  expect(executed.filter(({ graph }) => names.includes(graph))).toEqual([]);
  const summaries = await all(engine.runs({ status: 'suspended' }));
  const heads = new Map(summaries.map(({ id, head }) => [id, head]));
  for (const id of ['waiting', 'sleeping', 'mother', 'suspended']) {
    const last = new TextDecoder()
      .decode(files.get(id))
      .match(/"head":(\d+)/g)
      ?.at(-1);
    expect(`"head":${heads.get(id)}`).toBe(last);
  }
});
