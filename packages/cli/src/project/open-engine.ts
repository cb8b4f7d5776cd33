import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AnyGraph, Engine, EngineOptions, StoreUrl } from 'holdfast';
import { CliError } from '../failure/cli-error.ts';
import { shownStore } from '../output/shown-store.ts';
import type { Context } from '../program/context.ts';
import { type LoadedGraphs, loadGraphs } from './load-graphs.ts';

/** What names a store. */
interface Readable {
  readonly project: Pick<Context['project'], 'store'>;
}

/** Opens the store to read it. Creates nothing and executes nothing. */
export async function openToRead({ project: { store } }: Readable): Promise<Engine> {
  await refuseMissing(store);
  const { openEngine } = await import('holdfast');
  if (!store.startsWith('file:')) return openEngine(store as StoreUrl, { executes: false });
  // Read-only, so it works while another process has the lock.
  const { fileStore } = await import('holdfast/file');
  return openEngine(fileStore(store.slice('file:'.length), { readOnly: true }), { executes: false });
}

/** Opens the store to write to existing runs. Other processes execute them. */
export async function openToWrite(
  context: Context,
  { mayCreate = false }: { readonly mayCreate?: boolean } = {},
): Promise<Engine> {
  const { store } = context.project;
  if (!mayCreate) await refuseMissing(store);
  const { openEngine } = await import('holdfast');
  return openEngine(store as StoreUrl, { executes: false });
}

/** Like openToWrite(), but loads the code of `--graphs`, if any, so that input is validated before it is written. */
export async function openToChange(context: Context): Promise<EngineWithCode> {
  if (context.project.graphs.length === 0) return { engine: await openToWrite(context), graphs: [] };
  await refuseMissing(context.project.store);
  return openWithCode(context, { executes: false });
}

/** An engine and its graphs. */
export interface EngineWithCode {
  readonly engine: Engine;
  readonly graphs: readonly AnyGraph[];
}

/** Opens the store with the code of `--graphs`, using the copy of the library that the code imports. */
export async function openWithCode(
  context: Context,
  options: Omit<EngineOptions, 'graphs'> = {},
): Promise<EngineWithCode> {
  const loaded = await loadGraphs(context.project.graphs);
  return { engine: await openLoaded(context.project.store, loaded, options), graphs: loaded.graphs };
}

/** Opens a store with graphs that are already loaded. */
export async function openLoaded(
  store: string,
  { library, graphs }: Pick<LoadedGraphs, 'library' | 'graphs'>,
  options: Omit<EngineOptions, 'graphs'> = {},
): Promise<Engine> {
  const file = fileOf(store);
  if (file !== undefined) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return library.openEngine(store as StoreUrl, { ...options, graphs });
}

/** Whether a store exists. Asking creates none. */
export async function hasStore(store: string): Promise<boolean> {
  const file = fileOf(store);
  if (file !== undefined) return existsSync(file);
  if (!isPostgres(store)) return true;
  const { examinePostgres } = await import('holdfast/postgres');
  return (await examinePostgres(store)).schema.version !== undefined;
}

async function refuseMissing(store: string): Promise<void> {
  if (await hasStore(store)) return;
  const shown = shownStore(store);
  throw CliError.notFound(`No store at ${shown} yet. Start a run, or choose another store with --store.`);
}

/** Whether a store is in a Postgres database. */
export function isPostgres(store: string): boolean {
  return /^postgres(?:ql)?:/u.test(store);
}

/** The path of a store on this disk. */
export function fileOf(store: string): string | undefined {
  const [, path] = /^(?:sqlite|file):([^?]+)/u.exec(store) ?? [];
  return path;
}
