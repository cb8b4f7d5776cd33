import type { Connection } from './connection.ts';
import { corrupt } from './corrupt.ts';
import { addToSum, emptySum } from './row-sum.ts';

/** More than these are not what names are for; they are read again then. */
const capacity = 10_000;

interface NameRow {
  readonly key: number;
  readonly name: string;
  readonly sum: number;
}

/** What runs have names for. */
type NamedThing = 'graphs' | 'frontiers';

/**
 * Texts that many runs have in common, each kept once under a number that never means another text. So what was read
 * once is known for good, but for what a transaction read that was rolled back.
 */
export class NameTable {
  readonly #connection: Connection;
  readonly #table: NamedThing;
  readonly #names = new Map<number, string>();
  readonly #keys = new Map<string, number>();

  constructor(connection: Connection, table: NamedThing) {
    this.#connection = connection;
    this.#table = table;
    connection.onRollback(() => this.#forget());
  }

  /** Undefined where it is not there as it was written. */
  nameOf(key: number): string | undefined {
    const known = this.#names.get(key);
    if (known !== undefined) return known;
    const row = this.#read('key = ?', key);
    return row !== undefined && isWhole(row) ? this.#remember(row).name : undefined;
  }

  /** Undefined where nobody has used the name. @throws HOLDFAST_CORRUPT */
  find(name: string): number | undefined {
    const known = this.#keys.get(name);
    if (known !== undefined) return known;
    const row = this.#read('name = ?', name);
    if (row === undefined) return undefined;
    if (!isWhole(row)) throw this.#corrupt(row.key);
    return this.#remember(row).key;
  }

  /** The key of a name, which is a new one if nobody has used it. @throws HOLDFAST_CORRUPT */
  keyOf(name: string): number {
    return this.find(name) ?? this.#add(name);
  }

  /** What is known is still there, and nothing is there that was not written. @throws HOLDFAST_CORRUPT */
  check(): void {
    const rows = this.#connection.all(`SELECT key, name, sum FROM ${this.#table}`) as NameRow[];
    const found = new Map(rows.map((row) => [row.key, row]));
    const wrong = rows.find((row) => !isWhole(row))?.key ?? [...this.#names.keys()].find((key) => !found.has(key));
    if (wrong !== undefined) throw this.#corrupt(wrong);
  }

  #add(name: string): number {
    const key = (this.#connection.value(`SELECT coalesce(max(key), 0) + 1 FROM ${this.#table}`) ?? 1) as number;
    const row = { key, name, sum: sumOfName(key, name) };
    this.#connection.run(`INSERT INTO ${this.#table} (key, name, sum) VALUES (?, ?, ?)`, key, name, row.sum);
    return this.#remember(row).key;
  }

  #read(where: string, value: number | string): NameRow | undefined {
    const sql = `SELECT key, name, sum FROM ${this.#table} WHERE ${where}`;
    return this.#connection.get(sql, value) as NameRow | undefined;
  }

  #remember(row: NameRow): NameRow {
    if (this.#names.size >= capacity) this.#forget();
    this.#names.set(row.key, row.name);
    this.#keys.set(row.name, row.key);
    return row;
  }

  #forget(): void {
    this.#names.clear();
    this.#keys.clear();
  }

  #corrupt(key: number): Error {
    return corrupt({ table: this.#table }, `the name with key ${key} is not as it was written`);
  }
}

function isWhole({ key, name, sum }: NameRow): boolean {
  return sumOfName(key, name) === sum;
}

function sumOfName(key: number, name: string): number {
  return addToSum(addToSum(emptySum, key), name);
}
