import { readFileSync } from 'node:fs';
import { copyFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { nodeFiles } from '../../../src/env/node-files.ts';
import { CheckedStore } from '../../../src/store/checked-store.ts';
import type { SqliteDatabase } from '../../../src/store/sqlite/connection/database.ts';
import { type DatabaseClass, loadSqlite } from '../../../src/store/sqlite/connection/load-sqlite.ts';
import { sqliteStore } from '../../../src/store/sqlite/open.ts';
import { openDriver } from '../../../src/store/store.ts';
import { simulatedEnv, startOfTime } from '../disk/simulated-world.ts';
import type { Mutant } from '../mutant/mutant.ts';
import { newWorkspace, storePlaces } from '../runner/workspace.ts';
import { fillCompletely } from './complete-store.ts';
import { type Judgement, judgeCorruption } from './judge-corruption.ts';
import { type ReadAll, readAll } from './read-all.ts';

interface OpenSqliteOptions {
  readonly path: string;
  readonly mutant?: Mutant | undefined;
  readonly warn?: ((message: string) => void) | undefined;
}

/** A SQLite store that is whole, of which copies can be corrupt. */
export class WholeDatabase {
  readonly bytes: Uint8Array;
  readonly #directory: string;
  readonly #Database: DatabaseClass;
  readonly #mutant: Mutant | undefined;
  #original: ReadAll | undefined;
  #copies = 0;

  private constructor({ directory, Database, mutant }: WholeDatabaseParts) {
    this.#directory = directory;
    this.#Database = Database;
    this.#mutant = mutant;
    this.bytes = readFileSync(join(directory, 'whole.db'));
  }

  /** Makes a small store with some of everything, for the body; and clears it away. */
  static async use<T>(mutant: Mutant | undefined, body: (whole: WholeDatabase) => Promise<T>): Promise<T> {
    // In memory where that can be: nothing here asks what a disk keeps.
    const directory = newWorkspace(storePlaces().memory);
    const Database = await loadSqlite();
    try {
      const store = await openSqlite(Database, { path: join(directory, 'whole.db') });
      await fillCompletely(store);
      await store.close();
      settle(new Database(join(directory, 'whole.db')));
      const whole = new WholeDatabase({ directory, Database, mutant });
      whole.#original = await whole.#readWhole();
      return await body(whole);
    } finally {
      await rm(directory, { recursive: true, force: true });
    }
  }

  /** Looks at the whole database as it is. */
  look<T>(look: (database: SqliteDatabase) => T): T {
    return this.#with(join(this.#directory, 'whole.db'), look);
  }

  /** What becomes of a copy that was changed by SQL; undefined when SQLite itself does not let that happen. */
  async judgeSql(change: (database: SqliteDatabase) => void): Promise<Judgement | undefined> {
    return this.#copy(async (path) => {
      await copyFile(join(this.#directory, 'whole.db'), path);
      try {
        this.#with(path, change);
      } catch {
        return undefined;
      }
      return this.#judge(path);
    });
  }

  /** What becomes of a file with these bytes, and which it has then. */
  async judgeBytes(bytes: Uint8Array): Promise<{ readonly judgement: Judgement; readonly after: Uint8Array }> {
    return this.#copy(async (path) => {
      await writeFile(path, bytes, { mode: 0o600 });
      const judgement = await this.#judge(path);
      return { judgement, after: readFileSync(path) };
    });
  }

  async #judge(path: string): Promise<Judgement> {
    const other = `${path}-other`;
    await copyFile(path, other);
    const opener = (path: string) => (warn: (message: string) => void) =>
      openSqlite(this.#Database, { path, mutant: this.#mutant, warn });
    return judgeCorruption({ open: opener(path), reopen: opener(other), original: this.#original as ReadAll });
  }

  async #copy<T>(use: (path: string) => Promise<T>): Promise<T> {
    this.#copies += 1;
    const path = join(this.#directory, `copy-${this.#copies}.db`);
    try {
      return await use(path);
    } finally {
      for (const each of [path, `${path}-other`]) {
        for (const end of ['', '-wal', '-shm']) await rm(`${each}${end}`, { force: true });
      }
    }
  }

  #with<T>(path: string, use: (database: SqliteDatabase) => T): T {
    const database = new this.#Database(path);
    try {
      database.exec('PRAGMA foreign_keys = OFF; PRAGMA ignore_check_constraints = ON');
      const result = use(database);
      // Nothing is left in the log, which whoever copies the file would miss.
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      return result;
    } finally {
      database.close();
    }
  }

  #readWhole(): Promise<ReadAll> {
    return this.#copy(async (path) => {
      await copyFile(join(this.#directory, 'whole.db'), path);
      const store = await openSqlite(this.#Database, { path });
      const read = await readAll(store);
      await store.close();
      if (read.corruption.length > 0) throw new Error(`The store is not whole: ${JSON.stringify(read.corruption)}`);
      return read;
    });
  }
}

/** Brings all that is in the log into the file itself, so that the file alone is the store. */
function settle(database: SqliteDatabase): void {
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  database.close();
}

interface WholeDatabaseParts {
  readonly directory: string;
  readonly Database: DatabaseClass;
  readonly mutant: Mutant | undefined;
}

async function openSqlite(Database: DatabaseClass, { path, mutant, warn }: OpenSqliteOptions): Promise<CheckedStore> {
  const env = simulatedEnv({ files: nodeFiles, time: startOfTime(), seed: 1, warn });
  const database = mutant?.database?.(new Database(path));
  const driver = await openDriver(sqliteStore(database ?? path), env);
  const store = new CheckedStore(mutant?.driver?.(driver) ?? driver, env);
  if (database === undefined) return store;
  const close = store.close.bind(store);
  return Object.assign(store, { close: () => close().finally(() => database.close()) });
}
