import { existsSync, mkdirSync } from 'node:fs';
import { dirname } from 'node:path';
import type { AnyGraph, Engine, EngineOptions, StoreUrl } from 'holdfast';
import { CliError } from '../failure/cli-error.ts';
import type { Context } from '../program/context.ts';
import { type LoadedGraphs, loadGraphs } from './load-graphs.ts';

/** Opens the store to look at it: nothing is created and nothing is executed. */
export async function openToRead({ project }: Context): Promise<Engine> {
  refuseMissing(project.store);
  const { openEngine } = await import('holdfast');
  if (!project.store.startsWith('file:')) return openEngine(project.store as StoreUrl, { executes: false });
  // Beside the process that writes, without its lock.
  const { fileStore } = await import('holdfast/file');
  return openEngine(fileStore(project.store.slice('file:'.length), { readOnly: true }), { executes: false });
}

/** Opens the store to write to runs that are there; others execute them. */
export async function openToWrite(
  context: Context,
  { mayCreate = false }: { readonly mayCreate?: boolean } = {},
): Promise<Engine> {
  const { store } = context.project;
  if (!mayCreate) refuseMissing(store);
  const { openEngine } = await import('holdfast');
  return openEngine(store as StoreUrl, { executes: false });
}

/** The same, with the code where `--graphs` names it: what is written is then validated before it is written. */
export async function openToChange(context: Context): Promise<Engine> {
  if (context.project.graphs.length === 0) return openToWrite(context);
  refuseMissing(context.project.store);
  return (await openWithCode(context, { executes: false })).engine;
}

/** An engine and the code that it knows. */
export interface EngineWithCode {
  readonly engine: Engine;
  readonly graphs: readonly AnyGraph[];
}

/** Opens the store with the code of `--graphs`, by the copy of the library that the code itself imports. */
export async function openWithCode(
  context: Context,
  options: Omit<EngineOptions, 'graphs'> = {},
): Promise<EngineWithCode> {
  const loaded = await loadGraphs(context.project.graphs);
  return { engine: await openLoaded(context.project.store, loaded, options), graphs: loaded.graphs };
}

/** Opens a store with code that is loaded already. */
export async function openLoaded(
  store: string,
  { library, graphs }: Pick<LoadedGraphs, 'library' | 'graphs'>,
  options: Omit<EngineOptions, 'graphs'> = {},
): Promise<Engine> {
  const file = fileOf(store);
  if (file !== undefined) mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return library.openEngine(store as StoreUrl, { ...options, graphs });
}

/** Whether there is a store; one that is not on this disk says so itself. */
export function hasStore(store: string): boolean {
  const file = fileOf(store);
  return file === undefined || existsSync(file);
}

function refuseMissing(store: string): void {
  if (hasStore(store)) return;
  throw CliError.notFound(`There is no store at ${store} yet. Start a run, or name another with --store.`);
}

/** The path of a store that is on this disk. */
export function fileOf(store: string): string | undefined {
  const [, path] = /^(?:sqlite|file):([^?]+)/u.exec(store) ?? [];
  return path;
}
