import { PageFiles } from './page-files.ts';

/** Answers requests for pages; undefined for anything else, which may be for the API. */
export type Pages = (request: Request) => Promise<Response | undefined>;

/** Options of `studio`. */
export interface StudioOptions {
  /** The path that the browser sees the studio under: `/holdfast`. The API belongs under the same. Default: none. */
  readonly basePath?: string | undefined;
  /** What the store is called: its name is in the bar, so that windows on several stores are told apart. */
  readonly store?: string | undefined;
}

/** The pages of a folder. */
export function pagesIn(folder: string, { basePath = '', store = '' }: StudioOptions): Pages {
  const prefix = basePath.replace(/\/+$/u, '');
  const files = new PageFiles(folder, { mount: `${prefix}/`, store });
  return async (request) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return undefined;
    const { pathname } = new URL(request.url);
    const isUnder = prefix !== '' && (pathname === prefix || pathname.startsWith(`${prefix}/`));
    const path = (isUnder ? pathname.slice(prefix.length) : pathname).replace(/^\/+/u, '');
    if (path === 'api' || path.startsWith('api/')) return undefined;
    return files.answer(path, request.headers.get('accept-encoding') ?? '');
  };
}
