import type { SqliteDatabase, SqliteValue } from '../../../src/store/sqlite/database.ts';
import { seededRandom } from '../../../src/testing/seeded-random.ts';
import type { DamageOptions } from './damage-file.ts';
import { DamageTally } from './judge-damage.ts';
import { WholeDatabase } from './sqlite-copies.ts';

interface Column {
  readonly name: string;
  /** Its place in the primary key; 0 when it has none. */
  readonly pk: number;
}

/** One value of the database. */
interface Cell {
  readonly table: string;
  readonly column: string;
  readonly key: readonly (readonly [column: string, value: SqliteValue])[];
  readonly value: SqliteValue;
}

/** Changes a byte of every column of every row of every table, one at a time: none may go unnoticed. */
export async function changeSqliteCells({ mutant, stride = 1, onProgress }: DamageOptions = {}): Promise<DamageTally> {
  const tally = new DamageTally(['refused', 'found', 'unchanged']);
  await WholeDatabase.use(mutant, async (whole) => {
    const all = whole.look(allCells).flatMap((cell) => otherValues(cell.value).map((value) => ({ cell, value })));
    const changes = inTurns(all, ({ cell }) => `${cell.table}.${cell.column}`);
    for (const [at, { cell, value }] of changes.entries()) {
      if (at % stride !== 0) continue;
      // Of a mutant one bad end is as good as many.
      if (mutant !== undefined && tally.bad.length > 0) return;
      const judgement = await whole.judgeSql((database) => update(database, cell, value));
      if (judgement === undefined) continue;
      const key = cell.key.map(([column, each]) => `${column}=${String(each)}`).join(',');
      tally.add(`${cell.table}[${key}].${cell.column}: ${String(cell.value)} -> ${String(value)}`, judgement);
      if (tally.cases % 100 === 0) onProgress?.(tally);
    }
  });
  return tally;
}

/** The first of each group, then the second of each, and so on: so a mutant of any column shows itself soon. */
function inTurns<T>(all: readonly T[], groupOf: (one: T) => string): readonly T[] {
  const sizes = new Map<string, number>();
  const placed = all.map((one) => {
    const turn = sizes.get(groupOf(one)) ?? 0;
    sizes.set(groupOf(one), turn + 1);
    return { one, turn };
  });
  return placed.toSorted((a, b) => a.turn - b.turn).map(({ one }) => one);
}

interface FlipPagesOptions extends DamageOptions {
  readonly flips: number;
  readonly seed?: number | undefined;
}

/**
 * Flips single bits of the database file, most of them where something is stored. An index that a flip makes leave
 * something out is seen by SQLite's own check alone: counted apart, as `integrity`.
 */
export async function flipSqliteBits({ mutant, flips, seed = 1, onProgress }: FlipPagesOptions): Promise<DamageTally> {
  const tally = new DamageTally(['refused', 'found', 'unchanged', 'integrity']);
  await WholeDatabase.use(mutant, async (whole) => {
    const random = seededRandom(seed);
    const used = [...whole.bytes.keys()].filter((at) => whole.bytes[at] !== 0);
    for (let count = 0; count < flips; count += 1) {
      const any = Math.floor(random() * whole.bytes.length);
      const at = random() < 0.9 ? (used[Math.floor(random() * used.length)] as number) : any;
      const bit = Math.floor(random() * 8);
      const bytes = Uint8Array.from(whole.bytes);
      bytes[at] = (bytes[at] as number) ^ (1 << bit);
      tally.add(`bit ${bit} of byte ${at} (page ${Math.floor(at / 8_192) + 1})`, await whole.judgeBytes(bytes));
      if (tally.cases % 100 === 0) onProgress?.(tally);
    }
  });
  return tally;
}

function allCells(database: SqliteDatabase): readonly Cell[] {
  const tables = database
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite_%'")
    .all();
  return (tables as { readonly name: string }[]).flatMap(({ name }) => cellsOf(database, name));
}

function cellsOf(database: SqliteDatabase, table: string): readonly Cell[] {
  const columns = database.prepare(`PRAGMA table_info(${quoted(table)})`).all() as Column[];
  const keys = columns.filter(({ pk }) => pk > 0).map(({ name }) => name);
  const rows = database.prepare(`SELECT * FROM ${quoted(table)}`).all() as Record<string, SqliteValue>[];
  return rows.flatMap((row) => {
    const key = keys.map((name) => [name, row[name] as SqliteValue] as const);
    return columns.map(({ name }) => ({ table, column: name, key, value: row[name] as SqliteValue }));
  });
}

function update(database: SqliteDatabase, { table, column, key }: Cell, value: SqliteValue): void {
  const values = key.map(([, each]) => each);
  database.prepare(`UPDATE ${quoted(table)} SET ${quoted(column)} = ? WHERE ${where(key)}`).run(value, ...values);
}

function where(key: Cell['key']): string {
  return key.map(([column]) => `${quoted(column)} = ?`).join(' AND ');
}

function quoted(name: string): string {
  return `"${name}"`;
}

/** What a value may become when a byte of it changes: of its beginning, its middle or its end. */
function otherValues(value: SqliteValue): readonly SqliteValue[] {
  if (value === null) return [1, 'x'];
  if (typeof value === 'number') return [value + 1, value === 0 ? 256 : value - 256];
  if (value === '') return ['x'];
  const places = new Set([0, Math.floor(value.length / 2), value.length - 1]);
  return [...places].map((at) => `${value.slice(0, at)}${otherCharacter(value.charAt(at))}${value.slice(at + 1)}`);
}

function otherCharacter(character: string): string {
  return character === 'x' ? 'y' : 'x';
}
