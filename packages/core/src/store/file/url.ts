import { holdfastError } from '../../errors/holdfast-error.ts';
import { maskedUrl } from '../../value/mask-url.ts';

const scheme = 'file:';

/**
 * The directory that a store's address names: `file:DIR`, relative to the working directory or absolute. It is a path, not
 * a URL: nothing in it is escaped, and there are no options.
 *
 * @throws HOLDFAST_INVALID_OPTION
 */
export function parseFileUrl(url: string): string {
  const path = url.startsWith(scheme) ? url.slice(scheme.length) : '';
  const wrong = whatIsWrong(path);
  if (wrong === undefined) return path;
  const shown = maskedUrl(url);
  const message = `${JSON.stringify(shown)} is not the address of a file: store: ${wrong}.`;
  throw holdfastError('HOLDFAST_INVALID_OPTION', message, { details: { url: shown } });
}

function whatIsWrong(path: string): string | undefined {
  if (path.startsWith('///')) return `it takes a path, not a URL; write ${maskedUrl(scheme + path.slice(2))}`;
  if (path.startsWith('//')) return 'it cannot name a host';
  if (path === '~' || path.startsWith('~/')) return 'only a shell expands ~; write the whole path';
  if (path.trim() !== '' && !/[?#\0]/.test(path)) return undefined;
  return 'write file: and the path of a directory, without options';
}
