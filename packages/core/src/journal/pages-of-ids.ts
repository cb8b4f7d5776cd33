import type { KnownId } from '../store/check/known-id.ts';
import type { CheckedStore, ReadOptions } from '../store/checked-store.ts';
import type { IdQuery } from '../store/contract/read.ts';

const pageSize = 256;

/** The ids of a run itself, of records up to a seq, page by page. */
export async function* pagesOfIds(
  store: CheckedStore,
  query: Pick<IdQuery, 'runId' | 'upTo'>,
  options: ReadOptions = {},
): AsyncGenerator<readonly KnownId[]> {
  if (query.upTo === 0) return;
  for (let after: string | undefined; ; ) {
    const page = await store.ids({ ...query, after, limit: pageSize }, options);
    if (page.length > 0) yield page;
    if (page.length < pageSize) return;
    after = page.at(-1)?.id;
  }
}
