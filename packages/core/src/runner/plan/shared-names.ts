import { callNames, nodeNames, type Renames } from '../fold/fold-migrate.ts';
import { type CallMemo, callKey, type RunState } from '../fold/run-state.ts';

/** Nodes, questions and calls in use that a migration would give the same name: nobody could tell them apart any more. */
export function sharedNames(state: RunState, renames: Renames): readonly string[] {
  const named = callNames(renames);
  const nodes = new Set([...state.frontier, ...[...state.joins.values()].flat()]);
  const shared = sharing(nodes, nodeNames(renames)).map((names) => `different names for nodes ${names.join(' and ')}`);
  for (const { calls } of state.open.values()) {
    const kept = new Map([...calls].filter(([key]) => renames.steps.get(key.slice(0, key.lastIndexOf('#'))) !== null));
    const rename = (key: string): string => {
      const at = key.lastIndexOf('#');
      const name = named(key.slice(0, at), kept.get(key) as CallMemo);
      return callKey({ name, n: Number(key.slice(at + 1)) });
    };
    for (const names of sharing(new Set(kept.keys()), rename)) {
      const what = names.every((key) => kept.get(key)?.isAsk === true) ? 'questions' : 'calls';
      shared.push(`different names for ${what} ${names.join(' and ')}`);
    }
  }
  return shared;
}

function sharing(names: ReadonlySet<string>, rename: (name: string) => string): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>();
  for (const name of names) groups.set(rename(name), [...(groups.get(rename(name)) ?? []), name]);
  return [...groups.values()].filter((group) => group.length > 1);
}
