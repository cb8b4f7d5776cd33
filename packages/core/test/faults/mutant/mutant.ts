import type { Files } from '../../../src/env/files.ts';
import type { Machine } from '../../../src/env/machine.ts';
import type { StoreDriver } from '../../../src/store/contract/driver.ts';
import type { SqliteDatabase } from '../../../src/store/sqlite/connection/database.ts';

/** The stores that the harnesses break. */
export type StoreName = 'file' | 'sqlite';

/** The harnesses; each catches the mutants that name it. */
export type HarnessName = 'kill' | 'power' | 'syscall' | 'full-disk' | 'processes' | 'disk' | 'corruption';

/** The promises of RELIABILITY.md that can be broken on one machine. */
export type PromiseName = 'P1' | 'P2' | 'P3' | 'P4' | 'P5' | 'P6' | 'P7' | 'P9' | 'P10' | 'full-disk';

/**
 * A store that is broken on purpose, from outside: production code has no hook for it. It works until something goes
 * wrong; one that fails at once would prove nothing.
 */
export interface Mutant {
  readonly name: string;
  /** What it does wrong, in a few words. */
  readonly does: string;
  readonly breaks: PromiseName;
  readonly stores: readonly StoreName[];
  readonly caughtBy: readonly HarnessName[];
  /** The fault that shows it, where a harness tries several; tried first. */
  readonly shownBy?: 'KILL' | 'EIO' | 'EIO and die' | undefined;
  /** Breaks the file system that the file store sees. */
  readonly files?: ((files: Files) => Files) | undefined;
  /** Breaks the database that the SQLite store sees. */
  readonly database?: ((database: SqliteDatabase) => SqliteDatabase) | undefined;
  /** Breaks what the store sees of other processes. */
  readonly machine?: ((machine: Machine) => Machine) | undefined;
  /** Breaks the driver of any store. */
  readonly driver?: ((driver: StoreDriver) => StoreDriver) | undefined;
}
