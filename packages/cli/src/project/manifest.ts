import { readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { CliError } from '../failure/cli-error.ts';
import { whyUntrusted } from './why-untrusted.ts';

/** The settings in a package.json: `"holdfast": { "store": "sqlite:FILE", "graphs": ["FILE", …] }`. */
export interface Manifest {
  readonly file: string;
  readonly folder: string;
  readonly store?: string;
  readonly graphs: readonly string[];
}

/**
 * The settings of the project that holds a folder: in the nearest package.json, or nowhere. They are JSON, so that reading
 * them executes nothing.
 *
 * @throws CliError if other users could have written them
 */
export function readManifest(cwd: string): Manifest | undefined {
  const file = nearestManifest(cwd);
  const settings = file === undefined ? undefined : settingsIn(file);
  if (file === undefined || settings === undefined) return undefined;
  refuseUntrusted(file, 'settings');
  const { store, graphs = [] } = settings as { readonly store?: unknown; readonly graphs?: unknown };
  if ((store !== undefined && typeof store !== 'string') || !isTexts(graphs)) {
    throw CliError.usage(
      `Invalid "holdfast" in ${file}. Write it as { "store": "sqlite:FILE", "graphs": ["FILE", …] }.`,
    );
  }
  return { file, folder: dirname(file), graphs, ...(store !== undefined && { store }) };
}

/** Refuses a file that the user did not name and that other users could have written. */
export function refuseUntrusted(file: string, what: 'settings' | 'code'): void {
  const why = whyUntrusted(file);
  if (why === undefined) return;
  const option = what === 'settings' ? '--store and --graphs' : '--graphs';
  throw CliError.usage(
    `Refusing the ${what} in ${file}: ${why}. If you trust the file, choose with ${option} instead.`,
  );
}

function nearestManifest(cwd: string): string | undefined {
  for (let folder = cwd; ; folder = dirname(folder)) {
    const file = join(folder, 'package.json');
    // Reading a named pipe would wait forever.
    if (statSync(file, { throwIfNoEntry: false })?.isFile() === true) return file;
    if (folder === dirname(folder)) return undefined;
  }
}

/** No package.json is larger. Others can put a file without end above a folder, and TAB would read it. */
const mostBytes = 4 * 1024 * 1024;

function settingsIn(file: string): object | undefined {
  let parsed: unknown;
  try {
    if (statSync(file).size > mostBytes) return undefined;
    parsed = JSON.parse(readFileSync(file, 'utf8'));
  } catch {
    return undefined;
  }
  if (typeof parsed !== 'object' || parsed === null || !('holdfast' in parsed)) return undefined;
  return parsed.holdfast ?? {};
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}
