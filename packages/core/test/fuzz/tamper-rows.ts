import { sumOfPlace as sumOfPostgresPlace } from '../../src/store/postgres/run/packed-row.ts';
import {
  readRun as readPostgresRun,
  runJoin,
  runJson,
  sumOfHead,
  sumOfRow,
} from '../../src/store/postgres/run/run-row.ts';
import type { SqliteDatabase } from '../../src/store/sqlite/connection/database.ts';
import { sumOfLeases } from '../../src/store/sqlite/lease/lease-table.ts';
import { sumOfPlace } from '../../src/store/sqlite/row/packed-row.ts';
import {
  readRun,
  runColumns,
  runJoins,
  sumOfHead as sumOfSqliteHead,
  sumOfRow as sumOfSqliteRow,
} from '../../src/store/sqlite/run/run-row.ts';
import { sql } from '../../src/testing/postgres/postgres-places.ts';
import { hostileCell, pick, type Random } from './hostile-json.ts';

type Cells = Readonly<Record<string, unknown>>;
type Tables = 'runs' | 'heads' | 'rows' | 'leases';

const tables: readonly Tables[] = ['runs', 'runs', 'heads', 'heads', 'rows', 'rows', 'leases'];

/** The columns that can be lied about. Other names for the same in Postgres, by the name that the code has for them. */
const ofRun = ['createdAt', 'kind', 'version', 'baseSeq', 'parent', 'state', 'early', 'wakeAt', 'worker'] as const;
const ofRunToo = ['waits', 'tags', 'floor', 'top'] as const;
const ofHead = ['seq', 'fence', 'epoch', 'claims', 'step', 'frontier'] as const;

/** Changes one column of one row of a database that nobody has open, and its checksum. */
export function tamperSqlite(database: SqliteDatabase, random: Random): void {
  const all = (query: string): readonly Cells[] => database.prepare(query).all() as Cells[];
  const table = pick(random, tables);
  if (table === 'leases') {
    const [row] = all('SELECT workers, releases FROM leases');
    const next = { ...row, workers: String(hostileCell(random)) } as Parameters<typeof sumOfLeases>[0];
    database.prepare('UPDATE leases SET workers = ?, sum = ?').run(next.workers, sumOfLeases(next));
    return;
  }
  if (table === 'rows') {
    const row = pick(random, all('SELECT id, run, seq, prev, parts, token FROM rows'));
    const column = pick(random, ['seq', 'prev', 'parts', 'parts', 'token']);
    const value = column === 'prev' ? pick(random, [row['id'], hostileCell(random)]) : hostileCell(random);
    const place = { ...row, [column]: value } as unknown as Parameters<typeof sumOfPlace>[0];
    database
      .prepare(`UPDATE rows SET ${column} = ?, sum = ? WHERE id = ?`)
      .run(value as string, sumOfPlace(place), row['id'] as number);
    return;
  }
  const columns = pick(random, all(`SELECT ${runColumns} FROM runs r ${runJoins}`));
  const { row, head } = readRun(Object.values(columns) as Parameters<typeof readRun>[0]);
  const value = hostileCell(random);
  const column =
    table === 'runs' ? pick(random, [...ofRun, ...ofRunToo]) : pick(random, [...ofHead, 'last', 'snaps', 'age']);
  const nextRow = table === 'runs' ? { ...row, [column]: value } : row;
  const nextHead = table === 'heads' ? { ...head, [column]: value } : head;
  database
    .prepare(`UPDATE ${table} SET ${column} = ?, sum = ? WHERE ${table === 'runs' ? 'key' : 'run'} = ?`)
    .run(value, table === 'runs' ? sumOfSqliteRow(nextRow) : sumOfSqliteHead(nextRow, nextHead), row.key);
  if (table === 'runs')
    database.prepare('UPDATE heads SET sum = ? WHERE run = ?').run(sumOfSqliteHead(nextRow, head), row.key);
}

/** The same in a schema. */
export async function tamperPostgres(schema: string, random: Random): Promise<void> {
  const run = (text: string, values: readonly unknown[] = []): ReturnType<typeof sql> =>
    sql(text.replaceAll('@', `"${schema}".`), values);
  const table = pick(random, tables);
  const value = hostileCell(random);
  if (table === 'rows') {
    const [key, seq, first, token, parts] = pick(
      random,
      await run('SELECT key::text, seq::text, first::text, token, parts FROM @rows'),
    );
    const place = { key, seq: Number(seq), first: Number(first), token, parts, text: '' } as Parameters<
      typeof sumOfPostgresPlace
    >[0];
    const column = pick(random, ['first', 'token', 'parts', 'parts']);
    const next = { ...place, [column]: value };
    await run(`UPDATE @rows SET ${column} = $1, sum = $2 WHERE key = $3 AND seq = $4`, [
      value,
      sumOfPostgresPlace(next),
      key,
      seq,
    ]);
    return;
  }
  const [json] = pick(random, await run(`SELECT ${runJson} FROM @runs r ${runJoin}`));
  const { row, head } = readPostgresRun(json);
  const column =
    table === 'heads'
      ? pick(random, [...ofHead, 'updatedAt', 'rev'])
      : pick(random, [...ofRun, ...ofRunToo, 'trims', 'graph']);
  const name = column.replaceAll(/[A-Z]/gu, (letter) => `_${letter.toLowerCase()}`);
  const isHead = table === 'heads';
  const sum = isHead ? sumOfHead(row.key, { ...head, [column]: value }) : sumOfRow({ ...row, [column]: value });
  await run(`UPDATE @${isHead ? 'heads' : 'runs'} SET ${name} = $1, sum = $2 WHERE key = $3`, [value, sum, row.key]);
}
