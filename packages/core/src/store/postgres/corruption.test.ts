import { describe, expect, test } from 'vitest';
import { nodeEnv } from '../../env/node-env.ts';
import { HoldfastError } from '../../errors/holdfast-error.ts';
import { verifyStore } from '../../journal/verify.ts';
import { externalWriteOf } from '../../testing/contract/given.ts';
import { fillSchema } from '../../testing/postgres/filled-schema.ts';
import { sql, storeIn, withStore } from '../../testing/postgres/postgres-places.ts';
import { CheckedStore } from '../checked-store.ts';
import { openDriver } from '../store.ts';
import { tables } from './schema.ts';

interface Cell {
  readonly table: string;
  readonly column: string;
  readonly type: string;
  /** The physical place of the row. */
  readonly ctid: string;
}

/** The cells of the first and the last row of each table. */
async function cellsOf(schema: string): Promise<readonly Cell[]> {
  const cells: Cell[] = [];
  for (const table of tables) {
    const columns = await sql(
      'SELECT column_name, data_type FROM information_schema.columns WHERE table_schema = $1 AND table_name = $2',
      [schema, table],
    );
    const rows = await sql(`SELECT ctid::text FROM "${schema}".${table}`);
    const ctids = new Set([rows[0]?.[0], rows.at(-1)?.[0]].filter((ctid) => ctid !== undefined));
    for (const ctid of ctids)
      for (const [column, type] of columns)
        cells.push({ table, column: column as string, type: type as string, ctid: ctid as string });
  }
  return cells;
}

/** Another value of the same type. */
function other({ column, type }: Cell): string {
  if (type === 'text')
    return `coalesce(left(${column}, -1), '') || CASE WHEN right(${column}, 1) = 'x' THEN 'y' ELSE 'x' END`;
  return `coalesce(${column} + ${type === 'smallint' ? 7 : 1_000}, 7)`;
}

/**
 * Leases and duties that are wrong only make someone look again: fences keep every commit safe. So does a refusal at another
 * head. Removed runs are gone.
 */
const harmless = /^(?:leases\..*|duties\..*|removed\..*|refusals\.head)$/u;

async function findsCorruption(schema: string): Promise<boolean> {
  const store = new CheckedStore(await openDriver(storeIn(schema), nodeEnv), nodeEnv);
  try {
    const { ok, corruption } = await verifyStore(store);
    // A void row is read by whoever writes to that run.
    await store.commit(externalWriteOf('void', { expect: 1 }));
    return !ok && corruption.every(({ where }) => where !== '');
  } catch (error) {
    if (!HoldfastError.is(error)) throw error;
    return true;
  } finally {
    await store.close();
  }
}

describe('corruption', () => {
  test('is found in every column of every table, and not where there is none', async () => {
    await withStore(async ({ driver, store, schema }) => {
      await fillSchema(driver, store);
      expect((await verifyStore(store)).ok).toBe(true);
      const cells = (await cellsOf(schema)).filter(({ table, column }) => !harmless.test(`${table}.${column}`));
      const unseen: string[] = [];
      // A row that is changed is in another place afterwards.
      const places = new Map<string, string>();
      for (const cell of cells) {
        const { table, column, type, ctid } = cell;
        const change = async (value: string, ...values: unknown[]): Promise<void> => {
          const at = places.get(`${table} ${ctid}`) ?? ctid;
          const update = `UPDATE "${schema}".${table} SET ${column} = ${value} WHERE ctid = '${at}' RETURNING ctid::text`;
          const [row] = await sql(update, values);
          places.set(`${table} ${ctid}`, row?.[0] as string);
        };
        const at = places.get(`${table} ${ctid}`) ?? ctid;
        const [before] = await sql(`SELECT ${column}::text FROM "${schema}".${table} WHERE ctid = '${at}'`);
        await change(other(cell));
        if (!(await findsCorruption(schema))) unseen.push(`${table}.${column}`);
        await change(`$1::${type}`, before?.[0]);
      }
      expect([...new Set(unseen)]).toEqual([]);
      expect(cells.length).toBeGreaterThan(90);
    });
  });

  test('is found where a row of records is missing', async () => {
    await withStore(async ({ driver, store, schema }) => {
      await fillSchema(driver, store);
      await sql(`DELETE FROM "${schema}".rows WHERE seq = (SELECT max(seq) FROM "${schema}".rows)`);
      const reading = store.records({ runId: 'engine', order: 'newest', limit: 1 });
      await expect(reading).rejects.toMatchObject({
        code: 'HOLDFAST_CORRUPT',
        details: { table: 'rows', runId: 'engine' },
      });
      await expect(store.load({ runId: 'engine', limit: 100 })).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
      await sql(`DELETE FROM "${schema}".rows WHERE seq = 3`);
      await expect(store.load({ runId: 'engine', limit: 100 })).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
      await sql(`DELETE FROM "${schema}".heads`);
      await expect(store.header('engine')).rejects.toMatchObject({ code: 'HOLDFAST_CORRUPT' });
    });
  });
});
