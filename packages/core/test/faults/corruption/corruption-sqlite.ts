import type { SqliteDatabase, SqliteValue } from '../../../src/store/sqlite/connection/database.ts';
import type { CorruptionOptions } from './corruption-file.ts';
import { CorruptionTally } from './judge-corruption.ts';
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
export async function changeSqliteCells({
  mutant,
  stride = 1,
  onCase,
}: CorruptionOptions = {}): Promise<CorruptionTally> {
  const tally = new CorruptionTally(['refused', 'found', 'unchanged']);
  await WholeDatabase.use(mutant, async (whole) => {
    const all = whole.look(allCells).flatMap((cell) => otherValues(cell.value).map((value) => ({ cell, value })));
    const changes = inTurns(all, ({ cell }) => `${cell.table}.${cell.column}`);
    for (const [at, { cell, value }] of changes.entries()) {
      if (at % stride !== 0) continue;
      // Of a mutant one bad end is as good as many.
      if (mutant !== undefined && tally.bad.length > 0) return;
      const key = cell.key.map(([column, each]) => `${column}=${String(each)}`).join(',');
      const what = `${cell.table}[${key}].${cell.column}: ${String(cell.value)} -> ${String(value)}`;
      onCase?.(what);
      const judgement = await whole.judgeSql((database) => update(database, cell, value));
      if (judgement !== undefined) tally.add(what, judgement);
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

interface FlipPagesOptions extends Omit<CorruptionOptions, 'bits'> {
  /** Which of the bytes to begin with, where not all are flipped. */
  readonly offset?: number | undefined;
  /** Which bit of the first byte; each has the one after that of the byte before it, so that eight passes flip all. */
  readonly pass?: number | undefined;
}

/** Of the bytes in which nothing is stored one in so many is flipped: hardly anybody reads them. */
const zerosEvery = 61;

/** Flips one bit of every byte of the database file in which something is stored, and of a few others. */
export async function flipSqliteBits(options: FlipPagesOptions = {}): Promise<CorruptionTally> {
  const { mutant, stride = 1, offset = 0, pass = 0, onCase } = options;
  const tally = new CorruptionTally(['refused', 'found', 'unchanged', 'verified']);
  await WholeDatabase.use(mutant, async (whole) => {
    const pageBytes = pageSize(whole.bytes);
    const places = [...whole.bytes.keys()].filter((at) => whole.bytes[at] !== 0 || at % zerosEvery === 0);
    for (let index = offset; index < places.length; index += stride) {
      const at = places[index] as number;
      const bit = (index + pass) % 8;
      const bytes = Uint8Array.from(whole.bytes);
      bytes[at] = (bytes[at] as number) ^ (1 << bit);
      const what = `bit ${bit} of byte ${at} (page ${Math.floor(at / pageBytes) + 1}, byte ${at % pageBytes} of it)`;
      onCase?.(what);
      tally.add(what, (await whole.judgeBytes(bytes)).judgement);
    }
  });
  return tally;
}

/** As the head of the file says it; 1 stands for what two bytes cannot hold. */
function pageSize(bytes: Uint8Array): number {
  const size = Buffer.from(bytes).readUInt16BE(16);
  return size === 1 ? 65_536 : size;
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
