import { existsSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as holdfast from 'holdfast';
import type { AnyGraph } from 'holdfast';
import { CliError } from '../failure/cli-error.ts';
import { compileFiles, isTypeScript } from './compile-files.ts';

type Library = typeof holdfast;

/** Graphs, and the copy of the library that created them: no other copy can execute them. */
export interface LoadedGraphs {
  readonly library: Library;
  readonly graphs: readonly AnyGraph[];
}

/**
 * Loads the graphs that files export. esbuild compiles TypeScript; see docs/decisions/2026-11-16-the-command-line.md.
 *
 * @param onImport is called with every file that was loaded, so that `dev` can watch it.
 */
export async function loadGraphs(files: readonly string[], onImport?: (file: string) => void): Promise<LoadedGraphs> {
  const [first] = files;
  if (first === undefined) {
    throw CliError.usage(
      'This command needs your graphs. Pass --graphs FILE, or add "holdfast": { "graphs": ["FILE"] } to package.json.',
    );
  }
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined) throw CliError.usage(`File ${missing} does not exist.`);
  const modules = await loadFiles(files, onImport);
  const graphs = new Set<AnyGraph>();
  for (const [index, file] of files.entries()) {
    const found = graphsOf(modules[index] ?? {});
    if (found.length === 0) {
      throw CliError.usage(`${basename(file)} exports no graph. Export the result of .compile() or workflow().`);
    }
    for (const graph of found) graphs.add(graph);
  }
  return { library: await libraryOf(first), graphs: [...graphs] };
}

type Exports = Readonly<Record<string, unknown>>;

/** Loads JavaScript directly, unless the caller needs to know which files it imports. */
async function loadFiles(
  files: readonly string[],
  onImport: ((file: string) => void) | undefined,
): Promise<readonly Exports[]> {
  if (onImport === undefined && !files.some(isTypeScript)) return Promise.all(files.map((file) => load(file, file)));
  const compiled = await compileFiles(files, onImport);
  // Only on exit: a dynamic import may load a file in the middle of a run.
  process.once('exit', () => rmSync(compiled.folder, { recursive: true, force: true }));
  process.setSourceMapsEnabled(true);
  return Promise.all(compiled.files.map((file, index) => load(file, files[index] ?? file)));
}

async function load(file: string, name: string): Promise<Exports> {
  try {
    return (await import(pathToFileURL(file).href)) as Exports;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw CliError.failed(`${basename(name)} failed to load: ${why}`, { cause: error });
  }
}

/** The graphs among the exports of an ES or CommonJS module. */
function graphsOf(exported: Readonly<Record<string, unknown>>): readonly AnyGraph[] {
  const inner = exported['default'];
  const nested: readonly unknown[] = typeof inner === 'object' && inner !== null ? Object.values(inner) : [];
  const values = [...Object.values(exported), ...nested];
  return [...new Set(values.filter(isGraph))];
}

function isGraph(value: unknown): value is AnyGraph {
  return (
    typeof value === 'object' &&
    value !== null &&
    'mermaid' in value &&
    typeof value.mermaid === 'function' &&
    'fingerprint' in value &&
    'name' in value &&
    typeof value.name === 'string'
  );
}

/** The copy of the library that the file imports, or ours if it finds none. */
async function libraryOf(file: string): Promise<Library> {
  let path: string;
  try {
    path = createRequire(file).resolve('holdfast');
  } catch {
    return import('holdfast');
  }
  return (await import(pathToFileURL(path).href)) as Library;
}

/** The newest version of the graph with this name, if there is one. */
export function findGraph(graphs: readonly AnyGraph[], name: string): AnyGraph | undefined {
  const [newest] = graphs
    .filter((graph) => graph.name === name)
    .toSorted((left, right) => right.version - left.version);
  return newest;
}

/** The newest version of the graph with this name. */
export function graphNamed(graphs: readonly AnyGraph[], name: string): AnyGraph {
  const found = findGraph(graphs, name);
  if (found !== undefined) return found;
  const known = [...new Set(graphs.map((graph) => graph.name))].join(', ');
  throw CliError.notFound(`No graph is named "${name}". These files export ${known}.`);
}
