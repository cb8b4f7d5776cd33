import type { Engine, RunSummary } from 'holdfast';
import { expect, test } from 'vitest';
import { readLog, readTree } from './read-tree.ts';

/** Two runs of a store that was tampered with: each says that it was forked from the other. */
function circle(): { readonly engine: Engine; readonly run: RunSummary } {
  const summaries = ['a', 'b'].map((id) => ({ id, forkedAt: `${id === 'a' ? 'b' : 'a'}@1`, status: 'completed' }));
  const engine = {
    journal: { read: async function* () {} },
    runs: async function* ({ idPrefix, forkOf }: { readonly idPrefix?: string; readonly forkOf?: string }) {
      yield* summaries.filter(({ id, forkedAt }) => id === idPrefix || forkedAt === `${forkOf}@1`);
    },
  };
  return { engine: engine as unknown as Engine, run: summaries[0] as unknown as RunSummary };
}

test('the log and the tree of forks in a circle come to an end', async () => {
  const { engine, run } = circle();
  expect(await readLog(engine, run)).toEqual([]);
  expect((await readTree(engine, run)).forks).toHaveLength(1);
});
