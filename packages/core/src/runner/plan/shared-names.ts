import { callKey, parseCallKey } from '../fold/call/call-type.ts';
import { callNames, nodeNames, type Renames } from '../fold/fold-migrate.ts';
import type { CallMemo, RunState } from '../fold/run-state.ts';

/** Nodes, questions and calls in use that a migration would give the same name: nobody could tell them apart any more. */
export function sharedNames(state: RunState, renames: Renames): readonly string[] {
  const named = callNames(renames);
  const nodes = new Set([...state.frontier, ...[...state.joins.values()].flat()]);
  const shared = sharing(nodes, nodeNames(renames)).map((names) => `different names for nodes ${names.join(' and ')}`);
  for (const { calls } of state.open.values()) {
    const kept = new Map([...calls].filter(([key]) => renames.steps.get(parseCallKey(key).name) !== null));
    const rename = (key: string): string => {
      const made = parseCallKey(key);
      return callKey({ ...made, name: named(made.name, kept.get(key) as CallMemo) });
    };
    for (const names of sharing(new Set(kept.keys()), rename)) {
      const what = names.every((key) => kept.get(key)?.isAsk === true) ? 'questions' : 'calls';
      shared.push(`different names for ${what} ${names.map(shownCall).join(' and ')}`);
    }
  }
  return shared;
}

function shownCall(key: string): string {
  const { name, n } = parseCallKey(key);
  return `${name}#${n}`;
}

function sharing(names: ReadonlySet<string>, rename: (name: string) => string): readonly (readonly string[])[] {
  const groups = new Map<string, string[]>();
  for (const name of names) groups.set(rename(name), [...(groups.get(rename(name)) ?? []), name]);
  return [...groups.values()].filter((group) => group.length > 1);
}
