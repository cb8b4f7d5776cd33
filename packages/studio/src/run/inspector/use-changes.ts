import type { ChangeJson } from '@holdfast/server/client';
import { client } from '../../api/client.ts';
import { type Loaded, useLoad } from '../../api/use-load.ts';
import type { RunContext } from '../page/run-context.ts';

/** What changed, from one checkpoint to another. */
export interface Changes {
  readonly from: string;
  readonly to: string;
  readonly changes: readonly ChangeJson[];
  readonly isCut: boolean;
}

const pageSize = 500;

/** What changed from the parent of the selected checkpoint, or from the one that is marked. */
export function useChanges({
  selected,
  marked,
  rows,
}: Pick<RunContext, 'selected' | 'marked' | 'rows'>): Loaded<Changes> {
  const to = selected?.checkpoint;
  const row = rows.find(({ id }) => id === to);
  const from = marked !== undefined && marked !== to ? marked : row?.parent;
  const key = from === undefined || to === undefined ? undefined : `${from}>${to}`;
  return useLoad(
    key,
    async () => {
      const { changes, next } = await client.diff(from ?? '', to ?? '', { limit: pageSize });
      return { from: from ?? '', to: to ?? '', changes, isCut: next !== null };
    },
    { isLive: false },
  );
}
