import { askNames, nodeNames, type Renames } from '../fold/fold-migrate.ts';
import { callKey, type RunState } from '../fold/run-state.ts';

/** Nodes and questions in use that a migration would give the same name: nobody could tell them apart any more. */
export function sharedNames(state: RunState, renames: Renames): readonly string[] {
  const ask = askNames(renames);
  const nodes = new Set([...state.frontier, ...[...state.joins.values()].flat()]);
  const shared = sharing(nodes, nodeNames(renames)).map((names) => `different names for nodes ${names}`);
  for (const { calls } of state.open.values()) {
    const asked = [...calls].filter(([, call]) => call.isAsk === true).map(([key]) => key);
    const rename = (key: string): string => {
      const at = key.lastIndexOf('#');
      return callKey({ name: ask(key.slice(0, at)), n: Number(key.slice(at + 1)) });
    };
    shared.push(...sharing(new Set(asked), rename).map((names) => `different names for questions ${names}`));
  }
  return shared;
}

function sharing(names: ReadonlySet<string>, rename: (name: string) => string): readonly string[] {
  const groups = new Map<string, string[]>();
  for (const name of names) groups.set(rename(name), [...(groups.get(rename(name)) ?? []), name]);
  return [...groups.values()].filter((group) => group.length > 1).map((group) => group.join(' and '));
}
