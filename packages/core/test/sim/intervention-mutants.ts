import { Registry } from '../../src/engine/registry.ts';
import type { NewEntry } from '../../src/record/record.ts';
import type { StoredRun } from '../../src/store/contract/read.ts';
import type { Mutant } from './mutant.ts';
import { forgetting, forgotten, payloadOf, rewriting } from './rewriting.ts';

/** What can be wrong when code is replaced, and when somebody cancels, forks or prunes. */
export const interventionMutants: readonly Mutant[] = [
  {
    name: 'a migration that is not journalled',
    engine: rewriting((entry) => (entry.kind === 'migrate' ? { kind: 'note', at: entry.at } : entry)),
  },
  { name: 'a migration that leaves messages under their old names', engine: rewriting(withoutMessages) },
  { name: 'a migration that leaves a branch under its old name', engine: rewriting(withoutArrivals) },
  { name: 'the newest code for every run', patch: takeNewestCode },
  { name: 'a cancel that nobody sees', engine: forgetting('cancel') },
  {
    name: 'a cancel that leaves the children',
    engine: ({ driver }) => ({
      runs: async (query) => (query.parentId === undefined ? driver.runs(query) : { headers: [], corrupt: [] }),
    }),
  },
  {
    name: 'a fork that forgets what its base has done',
    engine: ({ driver }) => ({
      load: async (query) => withoutBases(await driver.load(query)),
      claim: async (request) => {
        const result = await driver.claim(request);
        return { ...result, claimed: result.claimed.map(withoutBases) };
      },
    }),
  },
  {
    name: 'ids that are pruned with their records',
    store: ({ driver }) => ({ trim: (plan) => driver.trim({ ...plan, forgetIds: Number.MAX_SAFE_INTEGER }) }),
  },
];

/** What a migration says about messages is not written. */
function withoutMessages(entry: NewEntry): NewEntry {
  return entry.kind === 'migrate' ? { ...entry, payload: { ...payloadOf(entry), messages: undefined } } : entry;
}

/** A branch that has arrived where it joins others, or is still to run, keeps a name that the new code does not have. */
function withoutArrivals(entry: NewEntry): NewEntry {
  const { nodes } = payloadOf(entry) as { readonly nodes?: Readonly<Record<string, string>> };
  if (entry.kind !== 'migrate' || nodes?.['left'] === undefined) return entry;
  return { ...entry, payload: { ...payloadOf(entry), nodes: { ...nodes, left: 'left' } } };
}

/** Nothing is left of the results of tasks and steps that a fork shares with its base. */
function withoutBases<T extends StoredRun | undefined>(run: T): T {
  const records = run?.records.map(({ runId, value }) => {
    if (runId === run.header.runId) return { runId, value };
    return { runId, value: forgotten('task', runId, forgotten('result', runId, value)) };
  });
  return run && { ...run, records };
}

/** A run stays on its own version as long as there is code for it. */
function takeNewestCode(): () => void {
  const before = Object.getOwnPropertyDescriptor(Registry.prototype, 'find') as PropertyDescriptor;
  const find = before.value as Registry['find'];
  const value = function newest(
    this: Registry,
    { graph }: Parameters<Registry['find']>[0],
  ): ReturnType<Registry['find']> {
    return find.call(this, { graph, version: Number.MAX_SAFE_INTEGER });
  };
  Object.defineProperty(Registry.prototype, 'find', { ...before, value });
  return () => Object.defineProperty(Registry.prototype, 'find', before);
}
