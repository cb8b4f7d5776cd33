/** A node and its targets; `by` is a route or a goto. */
export interface FlowNode {
  readonly name: string;
  readonly ways: readonly { readonly to: string; readonly by?: string }[];
}

const boxPattern = /^\s*(\w+)[([{]+"(.*)"[)\]}]+$/u;
const wayPattern = /^\s*(\w+) (?:-->|-\.->\|([^|]*)\|) (\w+)$/u;

/** The nodes and edges of a graph, parsed from its Mermaid flowchart: a graph has no other public description of them. */
export function flowOf(mermaid: string): readonly FlowNode[] {
  const names = new Map<string, string>();
  const ways = new Map<string, { to: string; by?: string }[]>();
  for (const line of mermaid.split('\n')) {
    const [, box, label] = boxPattern.exec(line) ?? [];
    if (box !== undefined && label !== undefined)
      names.set(
        box,
        label.replace(/#(\d+);/gu, (_, code) => String.fromCodePoint(Number(code))),
      );
    const [, from, by, to] = wayPattern.exec(line) ?? [];
    if (from === undefined || to === undefined) continue;
    const known = ways.get(from) ?? [];
    ways.set(from, [...known, { to, ...(by !== undefined && { by }) }]);
  }
  const nameOf = (box: string): string => names.get(box) ?? box;
  return [...ways].map(([from, targets]) => ({
    name: nameOf(from),
    ways: targets.map(({ to, ...rest }) => ({ to: nameOf(to), ...rest })),
  }));
}
