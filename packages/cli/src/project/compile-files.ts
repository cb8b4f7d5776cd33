import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildFailure, Loader, Plugin } from 'esbuild';
import { CliError } from '../failure/cli-error.ts';

/** Where TypeScript was compiled to: a file for each that was given, in a folder to remove when the process ends. */
export interface CompiledFiles {
  readonly folder: string;
  readonly files: readonly string[];
}

const typeScript = /\.[cm]?tsx?$/u;

/** Whether Node 20 cannot load this file as it is. */
export function isTypeScript(file: string): boolean {
  return typeScript.test(file);
}

/** Whether a file came with a package. */
export function isInstalled(file: string): boolean {
  return /[\\/]node_modules[\\/]/u.test(file);
}

/**
 * Compiles files and what they import of the user's own; packages stay packages.
 *
 * @param onFile is told of every file that is read, also where compiling fails.
 */
export async function compileFiles(
  files: readonly string[],
  onFile: (file: string) => void = () => undefined,
): Promise<CompiledFiles> {
  const { build, stop } = await import('esbuild');
  const folder = makeFolder(dirname(files[0] ?? ''));
  const entryPoints = files.map((file, index) => ({ in: file, out: `graphs-${index}` }));
  try {
    await build({
      entryPoints,
      outdir: folder,
      outExtension: { '.js': '.mjs' },
      bundle: true,
      // What two files import is one module for both.
      splitting: true,
      format: 'esm',
      platform: 'node',
      target: 'node20',
      sourcemap: 'inline',
      logLevel: 'silent',
      keepNames: true,
      define: places,
      banner: {
        js: "import { createRequire as __holdfastRequire } from 'node:module';const require = __holdfastRequire(import.meta.url);",
      },
      plugins: [ownFiles(onFile)],
    });
  } catch (error) {
    rmSync(folder, { recursive: true, force: true });
    throw CliError.failed(`${basename(files[0] ?? '')} could not be loaded: ${whyOf(error)}`, { cause: error });
  } finally {
    // A worker that lives for weeks has no use for a compiler beside it.
    await stop();
  }
  return { folder, files: entryPoints.map(({ out }) => join(folder, `${out}.mjs`)) };
}

/** Where a file stood before it was compiled: each file declares these for itself. */
const places = {
  'import.meta.url': '__holdfastUrl',
  'import.meta.filename': '__holdfastFile',
  'import.meta.dirname': '__holdfastFolder',
  __filename: '__holdfastFile',
  __dirname: '__holdfastFolder',
};

function placesOf(file: string): string {
  const values = { __holdfastUrl: pathToFileURL(file).href, __holdfastFile: file, __holdfastFolder: dirname(file) };
  return Object.entries(values)
    .map(([name, value]) => `const ${name} = ${JSON.stringify(value)};`)
    .join('');
}

/** Tells the user's own files from packages, which Node loads itself: a second copy of one would not know the first. */
function ownFiles(onFile: (file: string) => void): Plugin {
  return {
    name: 'own-files',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, async ({ path, kind, pluginData, ...rest }) => {
        if (kind === 'entry-point' || pluginData === 'asked') return undefined;
        const { resolveDir, importer } = rest;
        const found = await build.resolve(path, { kind, resolveDir, importer, pluginData: 'asked' });
        // A path of a tsconfig, or a package of the same workspace that is TypeScript itself.
        const isOwn = found.errors.length === 0 && isTypeScript(found.path) && !isInstalled(found.path);
        return isOwn ? undefined : { path, external: true };
      });
      build.onLoad({ filter: /\.[cm]?[jt]sx?$/ }, async ({ path }) => {
        onFile(path);
        const text = await readFile(path, 'utf8');
        return { contents: `${placesOf(path)}${text.replace(/^#!.*/u, '')}`, loader: loaderOf(path) };
      });
    },
  };
}

function loaderOf(path: string): Loader {
  const ending = extname(path).replace(/^\.[cm]/u, '.');
  return ending === '.ts' ? 'ts' : ending === '.tsx' ? 'tsx' : ending === '.jsx' ? 'jsx' : 'js';
}

/** In the nearest node_modules, so that packages are found as the files themselves would find them. */
function makeFolder(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    if (existsSync(modules)) {
      const place = join(modules, '.holdfast');
      mkdirSync(place, { recursive: true });
      removeLeftBehind(place);
      return mkdtempSync(join(place, `load-${process.pid}-`));
    }
    if (folder === dirname(folder)) return mkdtempSync(join(from, '.holdfast-load-'));
  }
}

/** The folders of processes that were killed before they could remove them. */
function removeLeftBehind(place: string): void {
  for (const name of readdirSync(place)) {
    const [, pid] = /^load-(\d+)-/u.exec(name) ?? [];
    if (pid !== undefined && !isAlive(Number(pid))) rmSync(join(place, name), { recursive: true, force: true });
  }
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // It is somebody else's.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function whyOf(error: unknown): string {
  const [first] = (error as Partial<BuildFailure>).errors ?? [];
  if (first === undefined) return error instanceof Error ? error.message : String(error);
  const { text, location } = first;
  return location === null ? text : `${location.file}:${location.line}: ${text}`;
}
