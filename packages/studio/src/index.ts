// What a server loads: the built pages, served. The pages themselves begin at `main.tsx`.
import { fileURLToPath } from 'node:url';
import { type Pages, pagesIn, type StudioOptions } from './serve/studio.ts';

export type { Pages, StudioOptions };

/** From `src/index.ts` and from `dist/index.js`, it is the same folder. */
const folder = fileURLToPath(new URL('../dist/pages/', import.meta.url));

/**
 * The pages of the studio, for `serve({ pages })` or for a server of your own. They are the same for everyone and hold no
 * data but the name of the store, if you give it one: who may see runs is decided by the API, which they call.
 *
 * @example
 * ```ts
 * await serve(engine, { graphs: { refunds }, pages: studio() });
 * ```
 */
export function studio(options: StudioOptions = {}): Pages {
  return pagesIn(folder, options);
}
