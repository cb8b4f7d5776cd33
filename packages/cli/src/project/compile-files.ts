import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, dirname, extname, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { BuildFailure, Loader, Plugin } from 'esbuild';
import { CliError } from '../failure/cli-error.ts';
import { whyUntrusted } from './why-untrusted.ts';

/** The compiled files, one per source file, in a folder to remove when the process exits. */
export interface CompiledFiles {
  readonly folder: string;
  readonly files: readonly string[];
}

const typeScript = /\.[cm]?tsx?$/u;

/** Whether Node 20 cannot load this file without compiling it. */
export function isTypeScript(file: string): boolean {
  return typeScript.test(file);
}

/** Whether a file belongs to an installed package. */
export function isInstalled(file: string): boolean {
  return /[\\/]node_modules[\\/]/u.test(file);
}

/**
 * Compiles files and the user's own files that they import. Packages are not bundled.
 *
 * @param onFile is called with every file that is read, even if compiling fails.
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
      // A module that two files import is loaded once.
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
    const [first] = (error as Partial<BuildFailure>).errors ?? [];
    if (first?.detail instanceof CliError) throw first.detail;
    throw CliError.failed(`${basename(files[0] ?? '')} failed to load: ${whyOf(error)}`, { cause: error });
  } finally {
    // A worker may live for weeks and no longer needs the compiler's process.
    await stop();
  }
  return { folder, files: entryPoints.map(({ out }) => join(folder, `${out}.mjs`)) };
}

/** The original location of a file. Each compiled file declares these for itself. */
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

/** Bundles the user's own files and leaves packages to Node: a second copy of a package would not share its state. */
function ownFiles(onFile: (file: string) => void): Plugin {
  return {
    name: 'own-files',
    setup(build) {
      build.onResolve({ filter: /^[^./]/ }, async ({ path, kind, pluginData, ...rest }) => {
        if (kind === 'entry-point' || pluginData === 'asked') return undefined;
        const { resolveDir, importer } = rest;
        const found = await build.resolve(path, { kind, resolveDir, importer, pluginData: 'asked' });
        // A tsconfig path, or a TypeScript package of the same workspace.
        const isOwn = found.errors.length === 0 && isTypeScript(found.path) && !isInstalled(found.path);
        if (found.errors.length === 0 && !found.external) refusePlanted(found.path, importer);
        return isOwn ? undefined : { path, external: true };
      });
      build.onLoad({ filter: /\.[cm]?[jt]sx?$/ }, async ({ path }) => {
        onFile(path);
        const settings = nearestSettings(path);
        if (settings !== undefined) refusePlanted(settings, path);
        const text = await readFile(path, 'utf8');
        return { contents: `${placesOf(path)}${text.replace(/^#!.*/u, '')}`, loader: loaderOf(path) };
      });
    },
  };
}

/**
 * Packages and the settings of the compiler are found in folders far above a file, such as a temporary folder that everybody
 * may write to. What is put there can choose the code that runs. Who owns the file that asks for it may do that anyway.
 */
function refusePlanted(found: string, by: string): void {
  const why = whyUntrusted(found);
  if (why === undefined || whyUntrusted(by) !== undefined) return;
  const next = 'Install the package, or write a tsconfig.json, in the project itself';
  throw CliError.usage(`Refusing the code in ${found}, which ${by} would use: ${why}. ${next}.`);
}

/** The tsconfig.json that counts for a file. */
function nearestSettings(path: string): string | undefined {
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    const file = join(folder, 'tsconfig.json');
    if (existsSync(file)) return file;
    if (folder === dirname(folder)) return undefined;
  }
}

function loaderOf(path: string): Loader {
  const ending = extname(path).replace(/^\.[cm]/u, '.');
  return ending === '.ts' ? 'ts' : ending === '.tsx' ? 'tsx' : ending === '.jsx' ? 'jsx' : 'js';
}

/**
 * Creates a folder in the nearest node_modules, so that packages resolve as they do for the source files. If another user
 * could replace the files there before they are loaded, the folder is next to the source files.
 */
function makeFolder(from: string): string {
  for (let folder = from; ; folder = dirname(folder)) {
    const modules = join(folder, 'node_modules');
    if (existsSync(modules)) {
      if (whyUntrusted(modules) !== undefined) return mkdtempSync(join(from, '.holdfast-load-'));
      const place = join(modules, '.holdfast');
      mkdirSync(place, { recursive: true });
      removeLeftBehind(place);
      return mkdtempSync(join(place, `load-${process.pid}-`));
    }
    if (folder === dirname(folder)) return mkdtempSync(join(from, '.holdfast-load-'));
  }
}

/** Removes the folders of processes that were killed before they could clean up. */
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
    // It belongs to another user.
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

function whyOf(error: unknown): string {
  const [first] = (error as Partial<BuildFailure>).errors ?? [];
  if (first === undefined) return error instanceof Error ? error.message : String(error);
  const { text, location } = first;
  return location === null ? text : `${location.file}:${location.line}: ${text}`;
}
