import type { CompiledGraph, CompiledNode, Exits } from './compiled-graph.ts';

/** Draws a graph as a Mermaid flowchart: an each is a hexagon, a graph a double box, a join a circle. */
export function mermaidOf({ nodes, entry, joins }: CompiledGraph): string {
  // Generated ids, because names such as `end` and `class` are reserved in Mermaid.
  const ids = new Map([...nodes.keys()].map((name, index) => [name, `n${index}`]));
  const id = (name: string): string => ids.get(name) ?? 'finish';
  const ways = [
    ...waysFrom('begin', entry, id),
    ...[...nodes.values()].flatMap(({ name, exits, to }) => [
      ...waysFrom(id(name), exits, id),
      ...[...to].map((target) => `${id(name)} -.->|goto| ${id(target)}`),
    ]),
    ...joins.flatMap(({ sources, targets }, index) => [
      ...sources.map((source) => `${id(source)} --> j${index}`),
      ...targets.map((target) => `j${index} --> ${id(target)}`),
    ]),
  ];
  return [
    'flowchart TD',
    'begin(["start"])',
    ...[...nodes.values()].map((node) => `${id(node.name)}${shape(node)}`),
    ...joins.map((_join, index) => `j${index}(("join"))`),
    ...(ways.some((way) => way.endsWith(' finish')) ? ['finish(["end"])'] : []),
    ...ways,
  ].join('\n  ');
}

function waysFrom(from: string, { edges, routes }: Exits, id: (name: string) => string): readonly string[] {
  return [
    ...edges.map((target) => `${from} --> ${id(target)}`),
    ...routes.flatMap(({ targets }, index) => {
      const label = routes.length === 1 ? 'route' : `route ${index + 1}`;
      return [...targets].map((target) => `${from} -.->|${label}| ${id(target)}`);
    }),
  ];
}

function shape({ name, work }: CompiledNode): string {
  switch (work.type) {
    case 'each':
      return `{{"${escaped(name)}"}}`;
    case 'graph':
      return `[["${escaped(`${name}: ${work.inner.name}`)}"]]`;
    case 'node':
    case 'workflow':
      return `["${escaped(name)}"]`;
  }
}

/** Two dollar signs start a formula, and two underscores may mean bold. */
function escaped(label: string): string {
  return label.replace(/[^\w :-]|_(?=_)|(?<=_)_/gu, (part) => `#${part.codePointAt(0)};`);
}
