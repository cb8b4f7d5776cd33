import { holdfastError } from '../errors/holdfast-error.ts';
import type { Store } from '../store/store.ts';
import { maskedUrl } from '../value/mask-url.ts';

/**
 * The URL of a store.
 *
 * @example
 * ```ts
 * const url: StoreUrl = 'sqlite:./runs.db'; // or file:./runs, postgres://…, memory:
 * const opened = await openEngine(url);
 * ```
 */
export type StoreUrl =
  | 'memory:'
  | `file:${string}`
  | `sqlite:${string}`
  | `postgres://${string}`
  | `postgresql://${string}`;

/** The store at a URL. Loads only the code of that store. @throws HOLDFAST_INVALID_OPTION */
export async function storeAt(url: string): Promise<Store> {
  if (url === 'memory:') {
    const { memoryStore } = await import('../store/memory/open.ts');
    return memoryStore();
  }
  if (url.startsWith('file:')) {
    const { fileStore } = await import('../store/file/open.ts');
    const { parseFileUrl } = await import('../store/file/url.ts');
    return fileStore(parseFileUrl(url));
  }
  if (url.startsWith('sqlite:')) {
    const { sqliteStoreAt } = await import('../store/sqlite/url.ts');
    return sqliteStoreAt(url);
  }
  if (/^postgres(?:ql)?:/u.test(url)) {
    const { postgresStoreAt } = await import('../store/postgres/url.ts');
    return postgresStoreAt(url);
  }
  const shown = maskedUrl(url);
  throw holdfastError(
    'HOLDFAST_INVALID_OPTION',
    `${JSON.stringify(shown)} is not a store URL. Use memory:, file:DIR, sqlite:FILE or postgres://HOST/DATABASE.`,
    { details: { url: shown } },
  );
}
