import { holdfastError } from '../../errors/holdfast-error.ts';
import { maskedUrl } from '../../value/mask-url.ts';
import type { Store } from '../store.ts';
import { sqliteStore } from './open.ts';

const scheme = 'sqlite:';

/** The store at `sqlite:FILE` or `sqlite:FILE?durability=normal`. @throws HOLDFAST_INVALID_OPTION */
export function sqliteStoreAt(url: string): Store {
  const [path = '', query = ''] = splitOnce(url.slice(scheme.length), '?');
  if (!url.startsWith(scheme) || path.trim() === '') throw invalid(url, 'it names no file');
  if (path === ':memory:') throw invalid(url, 'use memory: for runs that need not last');
  if (path.startsWith('///'))
    throw invalid(url, `it takes a path, not a URL; write ${maskedUrl(scheme + path.slice(2))}`);
  if (path.startsWith('//')) throw invalid(url, 'it cannot name a host');
  if (path.startsWith('~')) throw invalid(url, 'only a shell expands ~; write the whole path');
  let durability: 'full' | 'normal' = 'full';
  for (const [name, value] of new URLSearchParams(query)) {
    if (name !== 'durability') throw invalid(url, `there is no parameter ${JSON.stringify(name)}`);
    if (value !== 'full' && value !== 'normal') throw invalid(url, `there is no durability ${JSON.stringify(value)}`);
    durability = value;
  }
  return sqliteStore(path, { durability });
}

function splitOnce(text: string, mark: string): readonly string[] {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

function invalid(url: string, why: string): Error {
  const shown = maskedUrl(url);
  return holdfastError(
    'HOLDFAST_INVALID_OPTION',
    `${JSON.stringify(shown)} is not the address of a SQLite store: ${why}. Write sqlite:FILE or sqlite:FILE?durability=normal.`,
    { details: { url: shown } },
  );
}
