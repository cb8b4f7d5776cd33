import type { SqliteDatabase, SqliteStatement } from '../../../src/store/sqlite/connection/database.ts';
import type { Mutant } from './mutant.ts';

type Rewrite = (sql: string) => string;

/** The same database, told other things than the store tells it. */
function withSql(database: SqliteDatabase, rewrite: Rewrite, answer: (sql: string) => unknown): SqliteDatabase {
  return {
    exec: (sql) => database.exec(rewrite(sql)),
    prepare: (sql) => {
      const statement = database.prepare(rewrite(sql));
      const lie = answer(sql);
      if (lie === undefined) return statement;
      return {
        run: (...values) => statement.run(...values),
        get: (...values) => (statement.get(...values), lie),
        all: (...values) => (statement.all(...values), [lie]),
      } satisfies SqliteStatement;
    },
    close: () => database.close(),
  };
}

/** Sets a pragma to something else, and says that it is as it was asked for. */
function withPragma(pragma: string, value: string, claimed: string | number): Mutant['database'] {
  const set = new RegExp(`(PRAGMA\\s+${pragma}\\s*=\\s*)\\w+`, 'gi');
  const named = new RegExp(`PRAGMA\\s+${pragma}\\b`, 'i');
  return (database) =>
    withSql(
      database,
      (sql) => sql.replace(set, `$1${value}`),
      (sql) => (named.test(sql) ? { [pragma]: claimed } : undefined),
    );
}

/** Mutants below the SQLite store: a database that is set up to promise less than the store says. */
export const sqliteMutants: readonly Mutant[] = [
  {
    name: 'synchronous-normal',
    does: 'syncs the log only at a checkpoint, the default of SQLite in WAL mode',
    breaks: 'P1',
    stores: ['sqlite'],
    caughtBy: ['power'],
    database: withPragma('synchronous', 'NORMAL', 2),
  },
  {
    name: 'synchronous-off',
    does: 'never syncs',
    breaks: 'P1',
    stores: ['sqlite'],
    caughtBy: ['power'],
    database: withPragma('synchronous', 'OFF', 2),
  },
  {
    name: 'journal-in-memory',
    does: 'keeps what is needed for a rollback in memory',
    breaks: 'P2',
    stores: ['sqlite'],
    caughtBy: ['syscall'],
    shownBy: 'KILL',
    database: withPragma('journal_mode', 'MEMORY', 'wal'),
  },
  {
    name: 'late-commit',
    does: 'answers a COMMIT and carries it out some time later',
    breaks: 'P1',
    stores: ['sqlite'],
    caughtBy: ['kill', 'power'],
    database: lateCommit,
  },
  {
    name: 'io-error-as-full',
    does: 'takes an I/O error for a full disk, which needs no new connection',
    breaks: 'P7',
    stores: ['sqlite'],
    caughtBy: ['syscall'],
    shownBy: 'EIO',
    database: withFullDisk,
  },
  {
    name: 'drain-unseen',
    does: 'lets SQLite bring the log into the file by itself, which tells nobody when that fails',
    breaks: 'P7',
    stores: ['sqlite'],
    caughtBy: ['syscall'],
    shownBy: 'EIO',
    database: drainUnseen,
  },
];

function drainUnseen(database: SqliteDatabase): SqliteDatabase {
  return withSql(database, drainedBySqlite, () => undefined);
}

/** What the store asks for is answered as if it had been done. */
function drainedBySqlite(sql: string): string {
  return sql
    .replace('wal_autocheckpoint = 0', 'wal_autocheckpoint = 1')
    .replace('PRAGMA wal_checkpoint(PASSIVE)', 'SELECT 0 AS busy, 0 AS log, 0 AS checkpointed');
}

function lateCommit(database: SqliteDatabase): SqliteDatabase {
  let open = false;
  const settle = (): void => {
    if (!open) return;
    open = false;
    database.exec('COMMIT');
  };
  const run = (sql: string, now: () => unknown): unknown => {
    if (/^\s*COMMIT/i.test(sql)) {
      open = true;
      setTimeout(settle, 5);
      return undefined;
    }
    settle();
    return now();
  };
  return {
    exec: (sql) => run(sql, () => database.exec(sql)),
    prepare: (sql) => {
      const statement = database.prepare(sql);
      if (/^\s*COMMIT/i.test(sql)) {
        const changed = { changes: 0, lastInsertRowid: 0 };
        return {
          run: () => (run(sql, () => {}), changed),
          get: () => run(sql, () => {}),
          all: () => (run(sql, () => {}), []),
        };
      }
      return {
        run: (...values) => (settle(), statement.run(...values)),
        get: (...values) => (settle(), statement.get(...values)),
        all: (...values) => (settle(), statement.all(...values)),
      };
    },
    close: () => {
      settle();
      return database.close();
    },
  };
}

const ioError = 10;
const full = 13;

function withFullDisk(database: SqliteDatabase): SqliteDatabase {
  return {
    exec: (sql) => call(() => database.exec(sql)),
    prepare: (sql) => {
      const statement = database.prepare(sql);
      return {
        run: (...values) => call(() => statement.run(...values)),
        get: (...values) => call(() => statement.get(...values)),
        all: (...values) => call(() => statement.all(...values)),
      };
    },
    close: () => database.close(),
  };
}

function call<T>(work: () => T): T {
  try {
    return work();
  } catch (error) {
    const { errcode } = error as { readonly errcode?: number };
    const isIo = errcode !== undefined && (errcode & 0xff) === ioError;
    throw isIo ? Object.assign(new Error('full'), { errcode: full }) : error;
  }
}
