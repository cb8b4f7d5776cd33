import { resolve } from 'node:path';
import { CliError } from '../../failure/cli-error.ts';
import { byteText } from '../../output/bytes.ts';
import { counted } from '../../output/counted.ts';
import { printable } from '../../output/printable.ts';
import { shownStore } from '../../output/shown-store.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { fileOf, hasStore } from '../../project/open-engine.ts';

/** How to back up the stores that are not one file. */
const others: Readonly<Record<string, string>> = {
  file: 'Stop the process that writes to it and copy the folder, or take a snapshot of the file system.',
  postgres: 'Use pg_dump, or the point-in-time recovery of your server.',
};

/** `holdfast backup TARGET`. */
export const backup: CommandFn<object> = async ({ out, cwd, project: { store } }, [target = '']) => {
  const path = fileOf(store);
  if (!store.startsWith('sqlite:') || path === undefined) {
    const [scheme = ''] = /^[a-z]+/u.exec(store) ?? [];
    const next = others[scheme.replace('postgresql', 'postgres')] ?? 'Choose a store with --store sqlite:FILE.';
    throw CliError.usage(`backup copies SQLite stores, not ${shownStore(store)}. ${next}`);
  }
  if (!(await hasStore(store)))
    throw CliError.notFound(`No store at ${shownStore(store)} yet, so there is nothing to back up.`);
  const [{ backUpSqlite, sqliteStore }, { openEngine }] = await Promise.all([
    import('holdfast/sqlite'),
    import('holdfast'),
  ]);
  const copied = await backUpSqlite(path, resolve(cwd, target));
  await using engine = await openEngine(sqliteStore(copied.file), { executes: false });
  const { ok, records, snapshots, corruption } = await engine.verify();
  out.result('backup', { ...copied, ok, records, snapshots, corruption }, () => [
    ...corruption.map(({ where, what }) => `${out.paint.red('corrupt')}  ${printable(where)}  ${printable(what)}`),
    `wrote ${target}, ${byteText(copied.bytes)}: ${counted(records, 'record')}, ${counted(snapshots, 'snapshot')}, ${ok ? out.paint.green('verified') : out.paint.red(`${corruption.length} corrupt`)}`,
  ]);
  if (!ok) out.hint('The copy is as corrupt as the store. Keep your older backups, and see docs/reliability.md.');
  return ok ? 0 : 1;
};
