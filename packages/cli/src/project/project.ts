import { delimiter, join, resolve } from 'node:path';
import { shownStore } from '../output/shown-store.ts';
import { type Manifest, readManifest, refuseUntrusted } from './manifest.ts';
import { whyUntrusted } from './why-untrusted.ts';

/** Where the runs and their code are. Found on use: bad settings do not stop a command that needs none. */
export interface Project {
  /** `sqlite:FILE` and the like, with an absolute path. @throws CliError */
  readonly store: string;
  /** The files that export graphs. @throws CliError */
  readonly graphs: readonly string[];
  /** Whether the user named the store, or nobody but this user and root could have chosen it. */
  readonly isStoreTrusted: boolean;
}

interface FindOptions {
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  readonly options: { readonly store?: string; readonly graphs?: readonly string[] };
  /** Is told once what is used, and which option, variable or file chose it. */
  readonly onUse?: (what: string) => void;
}

/** What is used, and what chose it. */
interface Chosen<T> {
  readonly value: T;
  readonly by: string;
}

const defaultStore = 'sqlite:.holdfast/holdfast.db';

/** From the options, else the environment, else the package.json of the project that holds the working directory. */
export function findProject({ cwd, env, options, onUse = () => undefined }: FindOptions): Project {
  const manifest = once(() => readManifest(cwd));
  const named = namedStore({ cwd, env, options });
  const store = once(() => {
    const { value, by } = named ?? settledStore(manifest(), cwd);
    onUse(`store ${shownStore(value)}, chosen by ${by}`);
    return value;
  });
  const graphs = once(() => {
    const { value, by } = namedGraphs({ cwd, env, options }) ?? settledGraphs(manifest());
    if (value.length > 0) onUse(`graphs ${value.join(', ')}, chosen by ${by}`);
    return value;
  });
  return {
    get store() {
      return store();
    },
    get graphs() {
      return graphs();
    },
    get isStoreTrusted() {
      return named !== undefined || whyUntrusted(manifest()?.file ?? join(cwd, '.holdfast')) === undefined;
    },
  };
}

function namedStore({ cwd, env, options }: FindOptions): Chosen<string> | undefined {
  if (options.store !== undefined) return { value: absoluteStore(options.store, cwd), by: '--store' };
  const given = env['HOLDFAST_STORE'] ?? '';
  return given === '' ? undefined : { value: absoluteStore(given, cwd), by: 'HOLDFAST_STORE' };
}

function settledStore(manifest: Manifest | undefined, cwd: string): Chosen<string> {
  if (manifest === undefined) return { value: absoluteStore(defaultStore, cwd), by: 'default' };
  return { value: absoluteStore(manifest.store ?? defaultStore, manifest.folder), by: manifest.file };
}

function namedGraphs({ cwd, env, options }: FindOptions): Chosen<readonly string[]> | undefined {
  const given = options.graphs ?? env['HOLDFAST_GRAPHS']?.split(delimiter).filter((file) => file !== '');
  if (given === undefined) return undefined;
  const by = options.graphs === undefined ? 'HOLDFAST_GRAPHS' : '--graphs';
  return { value: given.map((file) => resolve(cwd, file)), by };
}

function settledGraphs(manifest: Manifest | undefined): Chosen<readonly string[]> {
  if (manifest === undefined) return { value: [], by: 'default' };
  const files = manifest.graphs.map((file) => resolve(manifest.folder, file));
  for (const file of files) refuseUntrusted(file, 'code');
  return { value: files, by: manifest.file };
}

function once<T>(find: () => T): () => T {
  let found: { readonly value: T } | undefined;
  return () => {
    found ??= { value: find() };
    return found.value;
  };
}

/**
 * Makes the path in a store URL absolute, so that it means the same in every folder. Leaves other URLs
 * (`sqlite::memory:`, `file:~/runs`) unchanged; opening them reports the error.
 */
export function absoluteStore(url: string, folder: string): string {
  const [, scheme, path] = /^(sqlite:|file:)(?=.*\S)([^/?:~].*)$/u.exec(url) ?? [];
  return scheme === undefined || path === undefined ? url : `${scheme}${resolve(folder, path)}`;
}
