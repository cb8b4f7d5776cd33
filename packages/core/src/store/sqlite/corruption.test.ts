import { copyFile } from 'node:fs/promises';
import { describe, expect, test } from 'vitest';
import { verifyStore } from '../../journal/verify.ts';
import { claimDue, create } from '../../testing/contract/given.ts';
import { findsCorruption, withFilled } from '../../testing/sqlite/filled-store.ts';
import { openAt, openRaw, tamper } from '../../testing/sqlite/sqlite-places.ts';
import type { SqliteDatabase, SqliteValue } from './connection/database.ts';
import { type RowPlace, sumOfPlace } from './row/packed-row.ts';

interface Cell {
  readonly table: string;
  readonly column: string;
  readonly where: string;
  readonly keys: readonly SqliteValue[];
  readonly value: SqliteValue;
}

/** The cells of the first and the last row of each table. */
function cellsOf(database: SqliteDatabase): readonly Cell[] {
  const tables = "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'";
  return (database.prepare(tables).all() as { name: string }[]).flatMap(({ name: table }) => {
    const columns = database.prepare(`PRAGMA table_info(${table})`).all() as { name: string; pk: number }[];
    const pk = columns.filter((column) => column.pk > 0).map(({ name }) => name);
    const rows = database.prepare(`SELECT * FROM ${table}`).all() as Record<string, SqliteValue>[];
    return [...new Set([rows[0], rows.at(-1)])]
      .filter((row) => row !== undefined)
      .flatMap((row) =>
        columns.map(({ name }) => ({
          table,
          column: name,
          where: pk.map((key) => `${key} = ?`).join(' AND '),
          keys: pk.map((key) => row[key] as SqliteValue),
          value: row[name] as SqliteValue,
        })),
      );
  });
}

function other(value: SqliteValue): SqliteValue {
  if (value === null) return 7;
  return typeof value === 'number' ? value + 1_000 : `${value.slice(0, -1)}${value.endsWith('x') ? 'y' : 'x'}`;
}

/**
 * Which row a snapshot stands in means nothing to anyone. Duties and refusals that are gone only make someone look again.
 */
const harmless = /^(?:snapshots\.id|duties\..*|refusals\.(?:run|head))$/;

/** Changes what the database says an index is. */
function rewriteSchema(path: string, name: string, sql: string): Promise<void> {
  return tamper(path, (database: SqliteDatabase & { enableDefensive?: (active: boolean) => void }) => {
    database.enableDefensive?.(false);
    database.exec(`PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = ${sql} WHERE name = '${name}'`);
  });
}

describe('corruption', () => {
  test('is not found where there is none', async () => {
    await withFilled(async (path, env) => expect(await findsCorruption(path, env)).toBe(false));
  });

  test('is found in every column of every table', async () => {
    await withFilled(async (path, env) => {
      const whole = await openRaw(path);
      const cells = cellsOf(whole);
      whole.close();
      const unseen: string[] = [];
      for (const { table, column, where, keys, value } of cells) {
        const copy = `${path}.copy-${unseen.length}-${table}-${column}-${keys.join('-')}`;
        await copyFile(path, copy);
        const sql = `UPDATE ${table} SET ${column} = ? WHERE ${where}`;
        await tamper(copy, (database) => database.prepare(sql).run(other(value), ...keys));
        if (!(await findsCorruption(copy, env))) unseen.push(`${table}.${column}`);
      }
      expect(unseen.filter((name) => !harmless.test(name))).toEqual([]);
      expect(cells.length).toBeGreaterThan(90);
    });
  });

  test('is found when a row of any table is gone', async () => {
    await withFilled(async (path, env) => {
      const whole = await openRaw(path);
      const rows = new Map(cellsOf(whole).map((cell) => [`${cell.table} ${cell.keys.join()}`, cell]));
      whole.close();
      const unseen: string[] = [];
      for (const [name, { table, where, keys }] of rows) {
        const copy = `${path}.${name.replaceAll(/\W/g, '-')}`;
        await copyFile(path, copy);
        await tamper(copy, (database) => database.prepare(`DELETE FROM ${table} WHERE ${where}`).run(...keys));
        if (!(await findsCorruption(copy, env))) unseen.push(name);
      }
      expect(unseen.filter((name) => !/^(?:duties|refusals|voids) /.test(name))).toEqual([]);
    });
  });

  test('is found when a text has become a blob', async () => {
    await withFilled(async (path, env) => {
      for (const [table, column] of [
        ['rows', 'text'],
        ['snapshots', 'body'],
        ['heads', 'frontier'],
      ]) {
        const copy = `${path}.${table}`;
        await copyFile(path, copy);
        await tamper(copy, (database) => database.exec(`UPDATE ${table} SET ${column} = CAST(${column} AS BLOB)`));
        expect(await findsCorruption(copy, env)).toBe(true);
      }
    });
  });

  test.each([
    ['runs_state', 'fork'],
    ['runs_graph', 'fork'],
    ['runs_base', 'fork'],
    ['runs_parent', 'fork'],
    ['runs_worker', 'engine'],
  ])('is found in the index %s when it leaves a run out', async (index, runId) => {
    await withFilled(async (path, env) => {
      const rewrite = (sql: string): Promise<void> => rewriteSchema(path, index, sql);
      const partial = /state|graph/.test(index) ? ' WHERE ' : ' AND ';
      await rewrite(`sql || '${partial}run <> ''${runId}'''`);
      await tamper(path, (database) => database.exec(`REINDEX ${index}`));
      await rewrite(`replace(sql, '${partial}run <> ''${runId}''', '')`);
      expect(await findsCorruption(path, env)).toBe(true);
    });
  });

  test('is found where the index of checkpoints leads to one that is not there', async () => {
    await withFilled(async (path, env) => {
      const rewrite = (sql: string): Promise<void> => rewriteSchema(path, 'snapshots_place', sql);
      await rewrite("sql || ' WHERE run < 0'");
      // Behind the back of the index, which speaks of no such row now.
      await tamper(path, (database) => database.exec('DELETE FROM snapshots WHERE covers = 1'));
      await rewrite("replace(sql, ' WHERE run < 0', '')");
      expect(await findsCorruption(path, env)).toBe(true);
      const { store } = await openAt(path, env);
      expect(await store.snapshots({ runId: 'loop', limit: 10, bodies: true })).toMatchObject([
        { covers: 2, ok: true },
        { covers: 1, ok: false },
      ]);
      expect(await verifyStore(store)).toMatchObject({ ok: false });
      await store.close();
    });
  });

  test('of a name that is no text any more is found, and not looked for without end', async () => {
    await withFilled(async (path, env) => {
      await tamper(path, (database) =>
        database.exec("UPDATE runs SET worker = CAST(x'ff' AS TEXT) WHERE run = 'engine'"),
      );
      const { store } = await openAt(path, env);
      await expect(claimDue(store, 'other')).rejects.toMatchObject({
        code: 'HOLDFAST_CORRUPT',
        details: { table: 'runs' },
      });
      await store.close();
    });
  });

  test('is found when a run has the head of another one', async () => {
    await withFilled(async (path, env) => {
      await tamper(path, (database) =>
        database.exec(`CREATE TEMP TABLE moved AS SELECT key FROM runs WHERE run = 'hidden';
          DELETE FROM runs WHERE run = 'hidden'; DELETE FROM heads WHERE run = (SELECT key FROM runs WHERE run = 'loop');
          UPDATE runs SET key = (SELECT key FROM moved) WHERE run = 'loop'`),
      );
      const { store } = await openAt(path, env);
      await expect(store.header('loop')).rejects.toMatchObject({
        code: 'HOLDFAST_CORRUPT',
        details: { runId: 'loop' },
      });
      await store.close();
    });
  });

  test('is found when a row is said to be the first and is not', async () => {
    await withFilled(async (path, env) => {
      await tamper(path, (database) => {
        const row = database.prepare('SELECT id, run, seq, parts, token FROM rows WHERE seq = 60').get() as RowPlace & {
          id: number;
        };
        const sum = sumOfPlace({ ...row, prev: 0 });
        database.prepare('UPDATE rows SET prev = 0, sum = ? WHERE id = ?').run(sum, row.id);
      });
      expect(await findsCorruption(path, env)).toBe(true);
    });
  });

  test('is found when an id leads to another record', async () => {
    await withFilled(async (path, env) => {
      for (const seq of [2, 70, 99, 0]) {
        await tamper(path, (database) => database.exec(`UPDATE ids SET seq = ${seq}`));
        const { store } = await openAt(path, env);
        const reading = store.ids({ runId: 'engine', id: 'chosen', limit: 1 });
        await expect(reading).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
        await store.close();
      }
    });
  });

  test('of the frontier of a head is found by a search by node', async () => {
    await withFilled(async (path, env) => {
      await tamper(path, (database) => database.exec("UPDATE heads SET frontier = 'x' || substr(frontier, 2)"));
      const { store } = await openAt(path, env);
      for (const node of ['a', 'b', 'c']) {
        const searching = store.runs({ node, order: 'oldest', limit: 10 });
        await expect(searching).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT', details: { table: 'heads' } });
      }
      await store.close();
    });
  });

  test('is found when a tag leads to a run that does not have it', async () => {
    await withFilled(async (path, env) => {
      await tamper(path, (database) =>
        database.exec("INSERT INTO facets SELECT type, name, 'blue', createdAt, run FROM facets WHERE value = 'red'"),
      );
      const { store } = await openAt(path, env);
      const listing = (team: string): Promise<unknown> => store.runs({ tags: { team }, order: 'oldest', limit: 10 });
      await expect(listing('blue')).rejects.toMatchObject({ details: { table: 'facets', runId: 'engine' } });
      expect(await listing('red')).toMatchObject([{ runId: 'engine' }]);
      await store.close();
    });
  });

  test('of what a graph is called is found by verify', async () => {
    for (const sql of ["UPDATE graphs SET name = name || 'x'", 'DELETE FROM graphs']) {
      await withFilled(async (path, env) => {
        const { store } = await openAt(path, env);
        expect(await verifyStore(store)).toMatchObject({ ok: true });
        await tamper(path, (database) => database.exec(sql));
        expect(await verifyStore(store)).toMatchObject({ ok: false });
        await store.close();
      });
    }
  });

  test('of the epoch of a run that does not exist is found by its creation', async () => {
    await withFilled(async (path, env) => {
      await tamper(path, (database) => database.exec('UPDATE voids SET epoch = epoch + 1'));
      const { store } = await openAt(path, env);
      await expect(create(store, 'void')).rejects.toMatchObject({ details: { table: 'voids', runId: 'void' } });
      await store.close();
    });
  });

  test('of why a worker refused a run is found by its header', async () => {
    await withFilled(async (path, env) => {
      const { store } = await openAt(path, env);
      expect(await store.header('refused')).toMatchObject({ refusals: [{ worker: 'other', message: 'No code.' }] });
      await tamper(path, (database) => database.exec("UPDATE refusals SET message = 'x'"));
      await expect(store.header('refused')).rejects.toMatchObject({ details: { table: 'refusals', runId: 'refused' } });
      await store.close();
    });
  });
});
