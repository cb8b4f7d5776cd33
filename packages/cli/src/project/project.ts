import { readFileSync, statSync } from 'node:fs';
import { delimiter, dirname, join, resolve } from 'node:path';
import { CliError } from '../failure/cli-error.ts';

/** Where the runs and their code are. */
export interface Project {
  /** `sqlite:FILE` and the like, with an absolute path. */
  readonly store: string;
  /** The file that chose the store: a package.json, or the folder of the default store. Absent if the user named it. */
  readonly storeChosenBy?: string;
  /** The files that export graphs. */
  readonly graphs: readonly string[];
}

interface FindOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly options: { readonly store?: string; readonly graphs?: readonly string[] };
}

const defaultStore = 'sqlite:.holdfast/holdfast.db';

/** From the options, else the environment, else `"holdfast": { "store", "graphs" }` in the nearest package.json. */
export function findProject({ cwd, env, options }: FindOptions): Project {
  const manifest = findManifest(cwd);
  const envGraphs = env['HOLDFAST_GRAPHS']?.split(delimiter).filter((file) => file !== '');
  const given = options.store ?? nonEmpty(env['HOLDFAST_STORE']);
  const graphs = options.graphs ?? envGraphs;
  return {
    ...(given === undefined
      ? { store: absoluteStore(manifest.store ?? defaultStore, manifest.folder), storeChosenBy: manifest.file }
      : { store: absoluteStore(given, cwd) }),
    graphs: graphs?.map((file) => resolve(cwd, file)) ?? manifest.graphs.map((file) => resolve(manifest.folder, file)),
  };
}

interface Manifest {
  readonly file: string;
  readonly folder: string;
  readonly store?: string;
  readonly graphs: readonly string[];
}

/** The settings are JSON, so that read commands need not load a TypeScript file. */
function findManifest(cwd: string): Manifest {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    const settings = settingsIn(file);
    if (settings !== undefined) return { file, folder, ...settings };
    if (folder === dirname(folder)) return { file: join(cwd, '.holdfast'), folder: cwd, graphs: [] };
  }
}

function settingsIn(file: string): Pick<Manifest, 'store' | 'graphs'> | undefined {
  let parsed: unknown;
  try {
    // Reading a named pipe would wait forever.
    if (!statSync(file).isFile()) return undefined;
    parsed = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
  if (typeof parsed !== 'object' || parsed === null || !('holdfast' in parsed)) return undefined;
  const { store, graphs = [] } = (parsed.holdfast ?? {}) as { readonly store?: unknown; readonly graphs?: unknown };
  if ((store !== undefined && typeof store !== 'string') || !isTexts(graphs)) {
    throw CliError.usage(
      `Invalid "holdfast" in ${file}. Write it as { "store": "sqlite:FILE", "graphs": ["FILE", …] }.`,
    );
  }
  return { graphs, ...(store !== undefined && { store }) };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/**
 * Makes the path in a store URL absolute, so that it means the same in every folder. Leaves other URLs
 * (`sqlite::memory:`, `file:~/runs`) unchanged; opening them reports the error.
 */
export function absoluteStore(url: string, folder: string): string {
  const [, scheme, path] = /^(sqlite:|file:)(?=.*\S)([^/?:~].*)$/u.exec(url) ?? [];
  return scheme === undefined || path === undefined ? url : `${scheme}${resolve(folder, path)}`;
}

function nonEmpty(text: string | undefined): string | undefined {
  return text === '' ? undefined : text;
}
