import { existsSync, rmSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { pathToFileURL } from 'node:url';
import type * as holdfast from 'holdfast';
import type { AnyGraph } from 'holdfast';
import { CliError } from '../failure/cli-error.ts';
import { compileFiles, isTypeScript } from './compile-files.ts';

type Library = typeof holdfast;

/** The graphs of some files, and the copy of the library that made them: no other can run them. */
export interface LoadedGraphs {
  readonly library: Library;
  readonly graphs: readonly AnyGraph[];
}

/**
 * Loads what files export. TypeScript goes through esbuild; docs/decisions/2026-11-16-the-command-line.md says why.
 *
 * @param onImport is told of every file that was loaded, so that `dev` can watch it.
 */
export async function loadGraphs(files: readonly string[], onImport?: (file: string) => void): Promise<LoadedGraphs> {
  const [first] = files;
  if (first === undefined) {
    throw CliError.usage(
      'This needs the code of the graphs: give --graphs FILE, or "holdfast": { "graphs": ["FILE"] } in package.json.',
    );
  }
  const missing = files.find((file) => !existsSync(file));
  if (missing !== undefined) throw CliError.usage(`There is no file ${missing}.`);
  const modules = await loadFiles(files, onImport);
  const graphs = new Set<AnyGraph>();
  for (const [index, file] of files.entries()) {
    const found = graphsOf(modules[index] ?? {});
    if (found.length === 0) {
      throw CliError.usage(`${basename(file)} exports no graph. Export what .compile() or workflow() gives.`);
    }
    for (const graph of found) graphs.add(graph);
  }
  return { library: await libraryOf(first), graphs: [...graphs] };
}

type Exports = Readonly<Record<string, unknown>>;

/** JavaScript is loaded as it is, unless somebody wants to know what it is made of. */
async function loadFiles(
  files: readonly string[],
  onImport: ((file: string) => void) | undefined,
): Promise<readonly Exports[]> {
  if (onImport === undefined && !files.some(isTypeScript)) return Promise.all(files.map((file) => load(file, file)));
  const compiled = await compileFiles(files, onImport);
  // Not before: what is imported in the middle of a run is loaded then.
  process.once('exit', () => rmSync(compiled.folder, { recursive: true, force: true }));
  process.setSourceMapsEnabled(true);
  return Promise.all(compiled.files.map((file, index) => load(file, files[index] ?? file)));
}

async function load(file: string, name: string): Promise<Exports> {
  try {
    return (await import(pathToFileURL(file).href)) as Exports;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    throw CliError.failed(`${basename(name)} could not be loaded: ${why}`, { cause: error });
  }
}

/** The graphs among the exports of a module, also of one that was CommonJS. */
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

/** The library as the file imports it; ours where it finds none. */
async function libraryOf(file: string): Promise<Library> {
  let path: string;
  try {
    path = createRequire(file).resolve('holdfast');
  } catch {
    return import('holdfast');
  }
  return (await import(pathToFileURL(path).href)) as Library;
}

/** The graph of a name; of several versions, the newest. */
export function graphNamed(graphs: readonly AnyGraph[], name: string): AnyGraph {
  const found = graphs.filter((graph) => graph.name === name).toSorted((left, right) => right.version - left.version);
  if (found[0] !== undefined) return found[0];
  const known = [...new Set(graphs.map((graph) => graph.name))].join(', ');
  throw CliError.notFound(`No graph is named ${name}. These files have ${known}.`);
}
