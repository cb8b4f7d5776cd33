import { holdfastError } from '../../../errors/holdfast-error.ts';
import type { SqliteDatabase } from './database.ts';

/** Makes a database of a file. */
export type DatabaseClass = new (path: string, options?: { readonly readOnly?: boolean }) => SqliteDatabase;

type ImportModule = (name: string) => Promise<unknown>;

/** Names in a variable, so that neither a bundler nor the type checker asks for what only some machines have. */
const importModule: ImportModule = (name) => import(name) as Promise<unknown>;

/** Part of Node since 22.13; the package has the same shape and is prebuilt for older ones. */
const modules = ['node:sqlite', '@photostructure/sqlite'];

/** The SQLite of Node, or of the package where Node has none. @throws HOLDFAST_DRIVER_MISSING */
export async function loadSqlite(load: ImportModule = importModule): Promise<DatabaseClass> {
  let cause: unknown;
  for (const name of modules) {
    try {
      const { DatabaseSync } = (await load(name)) as { readonly DatabaseSync: DatabaseClass };
      return DatabaseSync;
    } catch (error) {
      cause = error;
    }
  }
  throw holdfastError(
    'HOLDFAST_DRIVER_MISSING',
    `A sqlite: store needs Node 22.13 or newer, or the package @photostructure/sqlite: npm install @photostructure/sqlite. (Node ${process.versions.node} is running.)`,
    { details: { package: '@photostructure/sqlite', node: process.versions.node }, cause },
  );
}
