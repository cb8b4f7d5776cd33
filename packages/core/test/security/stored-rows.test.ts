// Issue item: imports, "no store can get into a state that the API cannot get out of". Whoever can write to a store can
// compute its checksums: what its headers, rows and lines say is held to its shape. Found by the fuzz of rows and lines.
import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Engine, openEngine, type Store } from 'holdfast';
import { fileStore } from 'holdfast/file';
import { sqliteStore } from 'holdfast/sqlite';
import { beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { folderName } from '../../src/store/file/folder/names.ts';
import { sumOfPlace } from '../../src/store/sqlite/row/packed-row.ts';
import { readRun, runColumns, runJoins, sumOfHead, sumOfRow } from '../../src/store/sqlite/run/run-row.ts';
import { giveBack, sql, storeIn, takeSchema } from '../../src/testing/postgres/postgres-places.ts';
import { tamper } from '../../src/testing/sqlite/sqlite-places.ts';
import { sealLine } from '../../src/value/hash/sealed-line.ts';
import { shortHash } from '../../src/value/hash/short-hash.ts';
import { all, temporaryFolder } from '../engine/every-place.ts';
import { asking, counting, graphs } from '../faults/moves/population.ts';
import { type PlainRun, realRuns, writeRuns } from '../fuzz/record-case.ts';

let runs: readonly PlainRun[] = [];
beforeAll(async () => {
  runs = await realRuns();
});

async function newSchema(): Promise<string> {
  const schema = await takeSchema();
  onTestFinished(() => giveBack(schema));
  return schema;
}

const stores: readonly (readonly [name: string, () => Promise<Store>])[] = [
  ['file', async () => fileStore(join(temporaryFolder(), 'store'))],
  ['sqlite', async () => sqliteStore(join(temporaryFolder(), 'store.db'))],
  ['postgres', async () => storeIn(await newSchema())],
];

/** What no engine writes, and a driver takes. */
const lies: readonly (readonly [what: string, Readonly<Record<string, unknown>>])[] = [
  ['a wake time past all times', { wakeAt: 1e300 }],
  ['a version that is no number of one', { version: -1 }],
  ['a parent that is no id', { parentId: '../x' }],
];

/** A database does not even take these through its driver; below, they are written by SQL. */
const liesInFiles: typeof lies = [
  ['a date that no calendar has', { createdAt: 9e15 }],
  ['waits that are none', { waits: [{ kind: 'ask' }] }],
  ['tags that are no texts', { tags: { a: { b: 1 } } }],
];

const headers = stores.flatMap(([name, open]) =>
  [...lies, ...(name === 'file' ? liesInFiles : [])].map(([what, lie]) => ({ name, open, what, lie })),
);

function plain(runId: string): PlainRun {
  return runs.find(({ header }) => header.runId === runId) as PlainRun;
}

test.each(headers)('a header in $name with $what is told of, hides no other run, and can be deleted', async (given) => {
  const store = await given.open();
  const target = plain('done-0');
  await writeRuns(store, [plain('waiting'), { ...target, header: { ...target.header, ...given.lie } }]);
  await using engine = await openEngine(store, { graphs });
  expect(await leftAfterUse(engine, 'done-0', 'waiting')).toEqual(['waiting']);
});

/** Everything that goes through all runs finds the others; verify tells of this one, and delete removes it. Gives what is left. */
async function leftAfterUse(engine: Engine, corrupt: string, other: string): Promise<readonly string[]> {
  expect((await all(engine.runs())).map(({ id }) => id)).toEqual([other]);
  expect((await all(engine.asks())).map(({ runId }) => runId)).toEqual([other]);
  await engine.check();
  await engine.recover();
  await engine.prune({ keep: 1 });
  expect(await engine.verify()).toMatchObject({ ok: false });
  await (await engine.get(asking, other)).cancel();
  expect(await engine.delete(corrupt)).toBe(true);
  expect(await engine.verify()).toMatchObject({ ok: true });
  return (await all(engine.runs())).map(({ id }) => id);
}

/** A store with two runs, closed; one waits, and the other is for tampering with. */
async function filled(store: Store): Promise<void> {
  await using engine = await openEngine(store, { graphs });
  await (await engine.start(asking, { of: 'kelp' }, { id: 'waiting' })).outcome();
  await (await engine.start(counting, { to: 3 }, { id: 'done' })).result();
}

describe('a database', () => {
  const changes: readonly (readonly [what: string, sql: string, value: string | number | bigint])[] = [
    ['a frontier that is no JSON', 'frontier', '{'],
    ['a head past all numbers', 'seq', 2 ** 52],
    ['a count of snapshots that is a text', 'snaps', 'many'],
    ['an integer that no number holds', 'fence', -(2n ** 60n)],
  ];

  test.each(changes)('with %s in a head stays usable', async (_, column, value) => {
    const path = join(temporaryFolder(), 'store.db');
    await filled(sqliteStore(path));
    await tamper(path, (database) => {
      const columns = database.prepare(`SELECT ${runColumns} FROM runs r ${runJoins} WHERE r.run = 'done'`).get();
      const { row, head } = readRun(Object.values(columns as object) as Parameters<typeof readRun>[0]);
      const changed = { ...head, [column]: typeof value === 'bigint' ? Number(value) : value };
      const update = database.prepare(`UPDATE heads SET ${column} = ?, sum = ? WHERE run = ?`);
      update.run(value as number, sumOfHead(row, changed), row.key);
    });
    await using engine = await openEngine(sqliteStore(path), { graphs });
    await engine.verify();
    expect((await all(engine.runs())).map(({ id }) => id)).toContain('waiting');
    await engine.recover();
    expect(await engine.delete('done')).toBe(true);
    expect(await engine.verify()).toMatchObject({ ok: true });
  });

  test('with a row that has no record and leads to itself is no endless walk', async () => {
    const path = join(temporaryFolder(), 'store.db');
    await filled(sqliteStore(path));
    await tamper(path, (database) => {
      const all = database.prepare(
        "SELECT id, run, seq, token FROM rows WHERE run = (SELECT key FROM runs WHERE run = 'done')",
      );
      for (const row of all.all() as { id: number; run: number; seq: number; token: string }[]) {
        const place = { ...row, prev: row.id, parts: '[]' };
        const update = database.prepare("UPDATE rows SET prev = id, parts = '[]', sum = ?, mark = 0 WHERE id = ?");
        update.run(sumOfPlace(place), row.id);
      }
    });
    await using engine = await openEngine(sqliteStore(path), { graphs });
    expect(await engine.verify()).toMatchObject({ ok: false });
    await expect(all(engine.journal.read('done'))).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
    expect(await engine.delete('done')).toBe(true);
  });

  test('whose run keeps less than its head says, and is not hidden, does not stop the process of a reader', async () => {
    const path = join(temporaryFolder(), 'store.db');
    await filled(sqliteStore(path));
    await tamper(path, (database) => {
      const columns = database.prepare(`SELECT ${runColumns} FROM runs r ${runJoins} WHERE r.run = 'done'`).get();
      const { row } = readRun(Object.values(columns as object) as Parameters<typeof readRun>[0]);
      database.prepare('UPDATE runs SET top = 0, sum = ? WHERE key = ?').run(sumOfRow({ ...row, top: 0 }), row.key);
    });
    await using engine = await openEngine(sqliteStore(path), { graphs });
    expect(await leftAfterUse(engine, 'done', 'waiting')).toEqual(['waiting']);
  });
});

/** Replaces the last line of a run's journal by a text, with a good checksum. */
function withLastLine(dir: string, change: (open: string) => string): void {
  const folder = folderName('done');
  const name = readdirSync(join(dir, 'runs', folder)).find((each) => each.startsWith('journal')) as string;
  const path = join(dir, 'runs', folder, name);
  const text = readFileSync(path, 'utf8');
  const at = text.lastIndexOf('\n', text.length - 2) + 1;
  const open = change(text.slice(at).replace(/,"sum":"[0-9a-f]{8}"\}\n$/u, ''));
  const offset = Buffer.byteLength(text.slice(0, at));
  writeFileSync(path, text.slice(0, at) + sealLine(`${folder} 1 ${offset} `, open));
  rmSync(join(dir, 'index.jsonl'));
}

describe('a store in files', () => {
  test.each<[what: string, change: (open: string) => string]>([
    ['is no JSON', () => '{"end":true,["'],
    ['is about another run', (open) => open.replace('"runId":"done"', '"runId":"waiting"')],
    ['has a status that there is none', (open) => open.replace('"completed"', '"gone"')],
    ['has no header', (open) => open.replace(/,"header":.*/u, ',"header":null')],
  ])('in which the last line of a run %s stays usable', async (_, change) => {
    const dir = join(temporaryFolder(), 'store');
    await filled(fileStore(dir));
    withLastLine(dir, change);
    await using engine = await openEngine(fileStore(dir), { graphs });
    expect(await leftAfterUse(engine, 'done', 'waiting')).toEqual(['waiting']);
  });

  test('whose leases say nothing is refused with the file, and opens without it', async () => {
    const dir = join(temporaryFolder(), 'store');
    await filled(fileStore(dir));
    const path = join(dir, 'leases.json');
    writeFileSync(path, sealLine('leases.json ', '{"workers":[null],"duties":{}'));
    await expect(openEngine(fileStore(dir))).rejects.toMatchObject({
      code: 'HOLDFAST_CORRUPT',
      message: expect.stringContaining('leases.json'),
    });
    rmSync(path);
    await using engine = await openEngine(fileStore(dir));
    expect(await all(engine.runs())).toHaveLength(2);
  });
});

test('a notification from a stranger does not end a worker on Postgres', async () => {
  const schema = await newSchema();
  await using engine = await openEngine(storeIn(schema), { graphs });
  const run = await engine.start(asking, { of: 'kelp' }, { id: 'waiting' });
  await run.outcome();
  const channel = `holdfast_${shortHash(schema).replaceAll('-', '_')}`;
  const uncaught: unknown[] = [];
  const listen = (error: unknown): void => void uncaught.push(error);
  process.on('uncaughtException', listen);
  onTestFinished(() => void process.off('uncaughtException', listen));
  const worker = engine.work();
  for (const payload of ['', 'x', 'null', '1', '[]', '["a",[1]]', '["a",[["../x",1]]]', '{"a":1}'])
    await sql('SELECT pg_notify($1, $2)', [channel, payload]);
  await run.answer('ok', true);
  expect(await run.result()).toContain('kelp');
  await worker.stop();
  expect(uncaught).toEqual([]);
});
