import { storeAt } from '../../../packages/core/src/engine/store-at.ts';
import { measurePages } from '../http-pages.ts';
import type { Report } from '../report.ts';
import { withServer } from './bench-server.ts';

/** The server's pages among a million runs, on Postgres. Nothing is written while they are read: fsync is off. */
export async function pgHttpPages(): Promise<Report> {
  return withServer(
    async ({ url }) => {
      const { settings, figures } = await measurePages(() => storeAt(url('pages')));
      return { settings: { ...settings, fsync: 'off' }, figures };
    },
    { fsync: false },
  );
}
