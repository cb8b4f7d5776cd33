import { join } from 'node:path';
import type { Env } from '../../../src/env/env.ts';
import type { StoreDriver } from '../../../src/store/contract/driver.ts';
import { withCalls } from '../../../src/testing/with-calls.ts';
import type { Mutant, StoreName } from '../mutant/mutant.ts';

interface OpenBareOptions {
  readonly directory: string;
  readonly env: Env;
  readonly mutant: Mutant | undefined;
  /** Files only: beside the process that writes. */
  readonly readOnly?: boolean | undefined;
}

/** The database in a place's directory. */
export const databaseFile = 'runs.db';

type OpenBare = (options: OpenBareOptions) => Promise<StoreDriver>;

/** So that most commits are written where there is room for them, and some make it. */
const earlyRoom = { after: 2, step: 4_096 };

/** How to open the driver of a store. Only that one's code is loaded: a process that lives 50 ms feels the other's. */
export const openersOf: Readonly<Record<StoreName, () => Promise<OpenBare>>> = {
  file: async () => {
    const { openFileDriver } = await import('../../../src/store/file/open.ts');
    return ({ directory, env, readOnly }) => openFileDriver({ dir: directory, env, room: earlyRoom, readOnly });
  },
  sqlite: async () => {
    const { openDriver } = await import('../../../src/store/store.ts');
    const { loadSqlite } = await import('../../../src/store/sqlite/connection/load-sqlite.ts');
    const { sqliteStore } = await import('../../../src/store/sqlite/open.ts');
    const { prepareFile } = await import('../../../src/store/sqlite/file/store-file.ts');
    const DatabaseSync = await loadSqlite();
    return async ({ directory, env, mutant }) => {
      const path = join(directory, databaseFile);
      if (mutant?.database === undefined) return openDriver(sqliteStore(path), env);
      await prepareFile(path);
      const database = mutant.database(new DatabaseSync(path));
      const driver = await openDriver(sqliteStore(database), env);
      const close = async (): Promise<void> => {
        await driver.close();
        database.close();
      };
      return withCalls(driver, { close });
    };
  },
};
