import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { openEngine } from '../../src/engine/open.ts';
import { exportLine } from '../../src/engine/transfer/export-line.ts';
import { nodeEnv } from '../../src/env/node-env.ts';
import { deleteRun } from '../../src/journal/delete-run.ts';
import { memoryStore } from '../../src/store/memory/open.ts';
import { openStore } from '../../src/store/store.ts';
import { pictureOf, wrongIn } from '../faults/moves/picture.ts';
import { asking, counting, graphs, mothering, populate, untilAsked } from '../faults/moves/population.ts';
import { all, storesOf } from './every-place.ts';
import { exported, inPieces } from './exported.ts';

type Files = Readonly<Record<'fork' | 'mother' | 'done', Uint8Array>>;
let made: Promise<Files> | undefined;

/** Files of runs: a fork with its bases, a run with a child, and a plain one. */
function files(): Promise<Files> {
  made ??= makeFiles();
  return made;
}

async function makeFiles(): Promise<Files> {
  await using engine = await openEngine(memoryStore(), { graphs });
  await populate(engine);
  return {
    fork: await exported(engine.export('fork-of-fork')),
    mother: await exported(engine.export('mother')),
    done: await exported(engine.export('done-0')),
  };
}

describe.each(storesOf())('import() of a bad file into $name', ({ create }) => {
  test('refuses it with nothing written, in one piece and in many', async () => {
    const { fork } = await files();
    const store = create();
    await using engine = await openEngine(store);
    for (const bad of badOnes(fork)) {
      const refused = { code: expect.stringMatching(/CORRUPT|FOREIGN_FILE|UNKNOWN_FORMAT/) as string };
      await expect(engine.import(bad)).rejects.toMatchObject(refused);
      await expect(engine.import(inPieces(bad))).rejects.toMatchObject(refused);
    }
    expect(await engine.verify()).toMatchObject({ records: 0, snapshots: 0 });
    await engine.import(inPieces(fork, 1));
    expect(await engine.verify()).toMatchObject({ ok: true });
    await engine.close();
    expect(await wrongIn(store)).toEqual([]);
  });
});

/** Cut, flipped and glued in many places. */
function badOnes(file: Uint8Array): readonly Uint8Array[] {
  const bad: Uint8Array[] = [new Uint8Array(), Buffer.from('{"version":1}\n'), Buffer.concat([file, file])];
  for (let at = 1; at < file.length; at += 1_999) {
    bad.push(file.subarray(0, at));
    const flipped = Uint8Array.from(file);
    flipped[at] = (flipped[at] as number) ^ (1 << (at % 8));
    bad.push(flipped);
  }
  return bad;
}

describe('import()', () => {
  test('says in which line the corruption is, and what is newer or foreign', async () => {
    const { done } = await files();
    await using engine = await openEngine(memoryStore());
    const text = new TextDecoder().decode(done);
    const corrupt = text.replace('"kind":"superstep"', '"kind":"stop"');
    const line = corrupt.split('\n').findIndex((each) => each.includes('"stop"')) + 1;
    await expect(engine.import(Buffer.from(corrupt))).rejects.toMatchObject({
      code: 'HOLDFAST_CORRUPT',
      details: { line },
    });
    await expect(engine.import(Buffer.from(text.replace('"version":1', '"version":2')))).rejects.toMatchObject({
      code: 'HOLDFAST_UNKNOWN_FORMAT',
      details: { version: 2 },
    });
    await expect(engine.import(Buffer.from('PNG\n'))).rejects.toMatchObject({ code: 'HOLDFAST_FOREIGN_FILE' });
    await expect(engine.import(inPieces(new Uint8Array(50 * 1024 * 1024), 1 << 20))).rejects.toMatchObject({
      code: 'HOLDFAST_FOREIGN_FILE',
    });
  });

  test('trusts no line because of its checksum: what does not fit is refused', async () => {
    const { fork } = await files();
    await using engine = await openEngine(memoryStore());
    const lines = new TextDecoder().decode(fork).split('\n').slice(0, -1).map(opened);
    const firstRun = lines.findIndex((line) => line.startsWith('{"runId"'));
    const changes: readonly ((line: string, at: number) => readonly string[])[] = [
      (line, at) => (at === firstRun ? [line.replace('"runId":"done-0"', '"runId":"../x"')] : [line]),
      (line, at) => (at === firstRun ? [line.replace('"head":', '"head":1')] : [line]),
      (line, at) => (at === firstRun ? [line.replace('"end":"hidden"', '"end":"never"')] : [line]),
      (line, at) => (at === firstRun + 2 ? [] : [line]),
      (line, at) => (at === firstRun + 2 ? [line, line] : [line]),
      (line, at) => (at === 0 ? [line, line] : [line]),
      (line, at) => (at === 1 ? [line, line] : [line]),
      (line, at) => (at === lines.length - 1 ? [line.replace('"runs":3', '"runs":4')] : [line]),
      (line, at) => (at === firstRun + 1 ? ['{"snapshot":{"covers":9,"seq":99},"head":{},"body":{}', line] : [line]),
      (line, at) => (at === firstRun + 1 ? ['{"unknown":true', line] : [line]),
      (line) => (line.startsWith('{"runId":"fork"') ? [line.replace('"runId":"done-0"', '"runId":"other"')] : [line]),
    ];
    for (const change of changes) {
      const sealed = lines.flatMap(change).map((line, at) => exportLine(at + 1, line));
      await expect(engine.import(Buffer.from(sealed.join('')))).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
    }
    expect(await engine.verify()).toMatchObject({ records: 0 });
  });

  test('is refused where another run has the id, or the same one has gone on', async () => {
    const { done, mother } = await files();
    await using engine = await openEngine(memoryStore(), { graphs });
    const other = await engine.start(counting, { to: 1 }, { id: 'done-0' });
    await other.result();
    const before = await exported(engine.export('done-0'));
    await expect(engine.import(done)).rejects.toMatchObject({
      code: 'HOLDFAST_ID_TAKEN',
      details: { runId: 'done-0' },
    });
    expect(await exported(engine.export('done-0'))).toEqual(before);
    await engine.import(mother);
    await (await engine.get(mothering, 'mother')).cancel();
    await expect(engine.import(mother)).rejects.toMatchObject({ code: 'HOLDFAST_ID_TAKEN' });
    expect(await engine.import(done, { id: 'copy' })).toMatchObject({ runId: 'copy', imported: 1 });
    expect(await (await engine.get(counting, 'copy')).state()).toMatchObject({ n: 5 });
    await expect(engine.import(mother, { id: 'copy-2' })).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_OPTION' });
    await expect(engine.import(inPieces(mother), { id: 'copy-2' })).rejects.toMatchObject({
      code: 'HOLDFAST_INVALID_OPTION',
    });
    await expect(engine.import(done, { id: '../x' })).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_ID' });
  });

  test('brings two forks of one base from two files, and then the base', async () => {
    const source = memoryStore();
    await using from = await openEngine(source, { graphs });
    const run = await from.start(counting, { to: 6 }, { id: 'base' });
    await run.result();
    const places = (await all(run.history())).map(({ id }) => id);
    for (const [id, at] of [
      ['low', 4],
      ['high', 1],
    ] as const)
      await run.fork({ id, at: places[at] });
    const [low, high, base] = await Promise.all(['low', 'high', 'base'].map((id) => exported(from.export(id))));
    for (const { create } of storesOf()) {
      await using engine = await openEngine(create(), { graphs });
      await engine.import(low as Uint8Array);
      expect((await all(engine.runs())).map(({ id }) => id)).toEqual(['low']);
      expect(await engine.import(high as Uint8Array)).toMatchObject({ runs: 2, imported: 2 });
      expect(await engine.import(low as Uint8Array)).toMatchObject({ imported: 0 });
      expect(await engine.import(base as Uint8Array)).toMatchObject({ imported: 1 });
      for (const id of ['low', 'high', 'base']) {
        const imported = await engine.get(counting, id);
        await imported.resume();
        expect((await imported.result()).n).toBe(6);
      }
      expect(await engine.verify()).toMatchObject({ ok: true });
    }
  });

  test('that never came to its end leaves nothing to be seen; another completes it, and delete clears it away', async () => {
    const { fork } = await files();
    const store = memoryStore();
    await using engine = await openEngine(store);
    // As when the process dies: nobody is there to undo it.
    void engine.import(endless(fork.subarray(0, fork.length - 200))).catch(() => undefined);
    await expect.poll(async () => (await engine.verify()).records).toBeGreaterThan(5);
    expect(await all(engine.runs())).toEqual([]);
    await using other = await openEngine(store);
    expect(await other.delete('fork-of-fork')).toBe(true);
    expect(await other.delete('fork-of-fork')).toBe(false);
    expect(await other.import(fork)).toMatchObject({ imported: 3 });
    expect(await wrongIn(store)).toEqual([]);
    expect(await other.verify()).toMatchObject({ ok: true });
  });

  test('keeps timers: a suspended run goes through its nap once it is resumed', async () => {
    await using from = await openEngine(memoryStore(), { graphs });
    await from.start(asking, { of: 'sand', napMs: 3_600_000 }, { id: 'napping' });
    await expect
      .poll(async () => (await (await from.get('napping')).summary()).waits)
      .toEqual([{ kind: 'sleep', name: 'nap' }]);
    const text = new TextDecoder().decode(await exported(from.export('napping')));
    // A nap that is over in a moment, without waiting for one in the test.
    const soon = Date.now() + 300;
    const until = /"until":(\d+)/.exec(text)?.[1] ?? '';
    const lines = text
      .split('\n')
      .slice(0, -2)
      .map((line) => opened(line).replaceAll(until, String(soon)));
    await using engine = await openEngine(memoryStore(), { graphs });
    await engine.import(resealed(lines));
    const run = await engine.get(asking, 'napping');
    expect(await run.outcome()).toMatchObject({ status: 'suspended' });
    await run.resume();
    expect(await run.outcome()).toMatchObject({ status: 'waiting', waits: [{ kind: 'ask' }] });
    await run.answer('ok', true);
    expect(await run.result()).toBe('sand: 4');
  });

  test('wakes nobody for a child that is over, until the parent is resumed', async () => {
    const source = memoryStore();
    await using from = await openEngine(source, { graphs });
    await from.start(mothering, { of: 'iron' }, { id: 'mother' });
    // As when the process dies before it has told the parent.
    await deleteRun({ store: await openStore(source, nodeEnv), env: nodeEnv }, await untilAsked(from, 'mother'));
    const file = await exported(from.export('mother'));
    await using engine = await openEngine(memoryStore(), { graphs });
    await engine.import(file);
    expect(await engine.recover()).toBe(0);
    const mother = await engine.get(mothering, 'mother');
    expect(await mother.summary()).toMatchObject({ status: 'suspended', head: 2 });
    await mother.resume();
    expect(await mother.outcome()).toMatchObject({ status: 'failed', error: { code: 'HOLDFAST_NOT_FOUND' } });
  });

  test('starts the child of a parent that is resumed', async () => {
    const source = memoryStore();
    await using from = await openEngine(source, { executes: false, graphs });
    await from.submit(mothering, { of: 'iron' }, { id: 'mother' });
    const early = await exported(from.export('mother'));
    await using engine = await openEngine(memoryStore(), { graphs });
    await engine.import(early);
    const mother = await engine.get(mothering, 'mother');
    expect(await mother.summary()).toMatchObject({ status: 'suspended', head: 1 });
    await mother.resume();
    const child = await engine.get(asking, await untilAsked(engine, 'mother'));
    await child.answer('ok', true);
    expect(await mother.result()).toBe('iron: 4');
  });
});

test('an export of a run that is not there, or has no such name, is refused', async () => {
  await using engine = await openEngine(memoryStore());
  await expect(exported(engine.export('nobody'))).rejects.toMatchObject({ code: 'HOLDFAST_NOT_FOUND' });
  await expect(exported(engine.export('../x'))).rejects.toMatchObject({ code: 'HOLDFAST_INVALID_ID' });
  expect(await pictureOf(memoryStore())).toEqual(new Map());
});

/** A line without its checksum and closing brace. */
function opened(line: string): string {
  return line.replace(/,"sum":"[0-9a-f]{8}"\}$/, '');
}

/** Lines without their end, with good checksums and a good end. */
function resealed(lines: readonly string[]): Uint8Array {
  const text = lines.map((line, at) => exportLine(at + 1, line)).join('');
  const count = (start: string): number => lines.filter((line) => line.startsWith(start)).length;
  const counts = { runs: count('{"runId"'), records: count('{"seq"'), snapshots: count('{"snapshot"') };
  const sha256 = createHash('sha256').update(text).digest('hex');
  return Buffer.from(text + exportLine(lines.length + 1, `{"end":${JSON.stringify(counts)},"sha256":"${sha256}"`));
}

async function* endless(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
  await new Promise(() => undefined);
}
