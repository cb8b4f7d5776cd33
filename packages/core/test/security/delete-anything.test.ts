// Issue item: imports, "delete works on anything". Bytes that rot are told by their checksums; what they belong to can be
// deleted all the same, and so can everything beside it.
import { appendFileSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Engine, type HoldfastError, openEngine, type Store } from 'holdfast';
import { fileStore } from 'holdfast/file';
import { sqliteStore } from 'holdfast/sqlite';
import { describe, expect, onTestFinished, test } from 'vitest';
import { folderName } from '../../src/store/file/folder/names.ts';
import { giveBack, sql, storeIn, takeSchema } from '../../src/testing/postgres/postgres-places.ts';
import { tamper } from '../../src/testing/sqlite/sqlite-places.ts';
import { all, temporaryFolder } from '../engine/every-place.ts';
import { counting, graphs } from '../faults/moves/population.ts';

/** A kind of store whose content can be corrupted. */
interface Kind {
  readonly name: string;
  /** A new folder, or a schema. */
  readonly place: () => Promise<string>;
  readonly storeIn: (place: string) => Store;
  /** How a run can be corrupted while the store is closed. */
  readonly ways: Readonly<Record<string, (place: string, runId: string) => Promise<void>>>;
}

async function newSchema(): Promise<string> {
  const schema = await takeSchema();
  onTestFinished(() => giveBack(schema));
  return schema;
}

function segmentsOf(folder: string, runId: string): readonly string[] {
  const run = join(folder, 'store', 'runs', folderName(runId));
  return readdirSync(run)
    .filter((name) => name.startsWith('journal-'))
    .toSorted()
    .map((name) => join(run, name));
}

function change(path: string, next: (text: string) => string): void {
  writeFileSync(path, next(readFileSync(path, 'utf8')));
}

async function inFiles(folder: string, runId: string, next: (path: string) => void): Promise<void> {
  segmentsOf(folder, runId).forEach(next);
  rmSync(join(folder, 'store', 'index.jsonl'), { force: true });
}

async function inDatabase(folder: string, runId: string, change: string): Promise<void> {
  const key = `(SELECT key FROM runs WHERE run = '${runId}')`;
  await tamper(join(folder, 'store.db'), (database) => database.exec(change.replaceAll('KEY', key)));
}

async function inSchema(schema: string, runId: string, change: string): Promise<void> {
  const key = `(SELECT key FROM @runs WHERE run = '${runId}')`;
  await sql(change.replaceAll('KEY', key).replaceAll('@', `"${schema}".`));
}

const kinds: readonly Kind[] = [
  {
    name: 'file',
    place: async () => temporaryFolder(),
    storeIn: (folder) => fileStore(join(folder, 'store')),
    ways: {
      'nothing of it is as it was written': (folder, runId) =>
        inFiles(folder, runId, (path) => writeFileSync(path, 'x\n')),
      'its first record is not as it was written': (folder, runId) =>
        inFiles(folder, runId, (path) => change(path, (text) => text.replace('run-start', 'run-stars'))),
      'its last commit is not as it was written': (folder, runId) =>
        inFiles(folder, runId, (path) => appendFileSync(path, '{"end":true,"x":1}\n')),
      'its folder is a link': async (folder, runId) => {
        await inFiles(folder, runId, () => {});
        const path = join(folder, 'store', 'runs', folderName(runId));
        rmSync(path, { recursive: true });
        symlinkSync(temporaryFolder(), path);
      },
    },
  },
  {
    name: 'sqlite',
    place: async () => temporaryFolder(),
    storeIn: (folder) => sqliteStore(join(folder, 'store.db')),
    ways: {
      'its row is not as it was written': (folder, runId) =>
        inDatabase(folder, runId, 'UPDATE runs SET version = version + 1 WHERE key = KEY'),
      'its head is not as it was written': (folder, runId) =>
        inDatabase(folder, runId, 'UPDATE heads SET step = step + 1 WHERE run = KEY'),
      'its head is missing': (folder, runId) => inDatabase(folder, runId, 'DELETE FROM heads WHERE run = KEY'),
      'its records are not as they were written': (folder, runId) =>
        inDatabase(folder, runId, 'UPDATE rows SET sum = sum + 1 WHERE run = KEY'),
      'its records are missing': (folder, runId) => inDatabase(folder, runId, 'DELETE FROM rows WHERE run = KEY'),
    },
  },
  {
    name: 'postgres',
    place: newSchema,
    storeIn,
    ways: {
      'its row is not as it was written': (schema, runId) =>
        inSchema(schema, runId, 'UPDATE @runs SET version = version + 1 WHERE key = KEY'),
      'its tags are not as they were written': (schema, runId) =>
        inSchema(schema, runId, `UPDATE @runs SET tags = '{' WHERE key = KEY`),
      'its head is not as it was written': (schema, runId) =>
        inSchema(schema, runId, 'UPDATE @heads SET step = step + 1 WHERE key = KEY'),
      'its head is missing': (schema, runId) => inSchema(schema, runId, 'DELETE FROM @heads WHERE key = KEY'),
      'its records are not as they were written': (schema, runId) =>
        inSchema(schema, runId, 'UPDATE @rows SET sum = sum + 1 WHERE key = KEY'),
      'its records are missing': (schema, runId) => inSchema(schema, runId, 'DELETE FROM @rows WHERE key = KEY'),
    },
  },
];

const cases = kinds.flatMap((kind) => Object.entries(kind.ways).map(([what, corrupt]) => ({ ...kind, what, corrupt })));

/** A base with a fork, and a run of its own. */
async function fill(engine: Engine): Promise<void> {
  for (const id of ['base', 'other']) await (await engine.start(counting, { to: 12 }, { id })).result();
  await (await engine.get(counting, 'base')).fork({ id: 'fork', at: 'base@3' });
  await (await engine.get(counting, 'fork')).outcome();
}

async function listed(engine: Engine): Promise<readonly string[]> {
  return (await all(engine.runs())).map(({ id }) => id).toSorted();
}

/** What a reader is told of a run: its records, or why there are none. */
function seen(engine: Engine, runId: string): Promise<unknown> {
  return all(engine.journal.read(runId)).catch(String);
}

describe.each(cases)('delete on $name, when of a run $what', ({ place, storeIn: open, corrupt }) => {
  async function given(runId: string): Promise<Engine> {
    const where = await place();
    const before = await openEngine(open(where), { graphs });
    await fill(before);
    await before.close();
    await corrupt(where, runId);
    return openEngine(open(where), { graphs, executes: false });
  }

  test('deletes that run', async () => {
    await using engine = await given('other');
    expect(await engine.delete('other')).toBe(true);
    expect(await listed(engine)).toEqual(['base', 'fork']);
    expect(await engine.verify()).toMatchObject({ ok: true });
    expect(await engine.delete('other')).toBe(false);
  });

  test('deletes the others, and keeps what the run may stand on until it is deleted too', async () => {
    await using engine = await given('fork');
    for (const id of ['base', 'other']) expect(await engine.delete(id)).toBe(true);
    expect(await engine.delete('fork')).toBe(true);
    expect(await listed(engine)).toEqual([]);
    expect(await engine.verify()).toMatchObject({ ok: true, records: 0 });
  });

  test('keeps a base that somebody may want to mend for its forks', async () => {
    await using engine = await given('base');
    const before = await seen(engine, 'fork');
    // It is refused, or hidden with all that the fork stands on.
    const told = await engine.delete('base').catch(({ code }: HoldfastError) => code);
    expect(['HOLDFAST_CORRUPT', 'HOLDFAST_STORE_UNSAFE', true]).toContain(told);
    expect(await seen(engine, 'fork')).toEqual(before);
  });

  test('deletes a base after its forks', async () => {
    await using engine = await given('base');
    expect(await engine.delete('fork')).toBe(true);
    expect(await engine.delete('base')).toBe(true);
    expect(await listed(engine)).toEqual(['other']);
    expect(await engine.verify()).toMatchObject({ ok: true });
  });
});
