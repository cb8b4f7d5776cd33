import { resolve } from 'node:path';
import { holdfastError } from '../../errors/holdfast-error.ts';
import { defineStore, type Store } from '../store.ts';
import { openFileDriver } from './open-driver.ts';

/** How a store in a directory is opened. */
export interface FileStoreOptions {
  /** Reads beside the process that writes, without its lock; every commit then fails. Default false. */
  readonly readOnly?: boolean | undefined;
}

const scheme = 'file:';

/**
 * A store in a directory that people can read: a folder a run, with lines of JSON. One process writes, any number reads.
 * The directory is made when the store is first opened.
 *
 * @throws HOLDFAST_INVALID_OPTION
 */
export function fileStore(dir: string, { readOnly }: FileStoreOptions = {}): Store {
  if (typeof dir !== 'string' || dir.trim() === '' || dir.includes('\0')) {
    throw holdfastError('HOLDFAST_INVALID_OPTION', 'A file: store needs the path of a directory, as in file:./runs.', {
      details: { option: 'dir' },
    });
  }
  // Now, and not when it is opened again: the process may be in another directory then.
  const root = resolve(dir);
  return defineStore((env, { again }) => openFileDriver({ dir: root, env, readOnly, again }));
}

/**
 * The directory that the address of a store names: `file:DIR`, relative to the working directory or absolute. It is a
 * path, not a URL: nothing in it is escaped, and there are no options.
 *
 * @throws HOLDFAST_INVALID_OPTION
 */
export function parseFileUrl(url: string): string {
  const path = url.startsWith(scheme) ? url.slice(scheme.length) : '';
  const wrong = whatIsWrong(path);
  if (wrong === undefined) return path;
  throw holdfastError('HOLDFAST_INVALID_OPTION', `${JSON.stringify(url)} is no address of a file: store: ${wrong}.`, {
    details: { url },
  });
}

function whatIsWrong(path: string): string | undefined {
  if (path.startsWith('///')) return `it is a path and no URL; write ${scheme}${path.slice(2)}`;
  if (path.startsWith('//')) return 'it names no host';
  if (path === '~' || path.startsWith('~/')) return "~ is the shell's: write the whole path";
  if (path.trim() !== '' && !/[?#\0]/.test(path)) return undefined;
  return 'it is file: and the path of a directory, and has no options';
}
