import type { AnyGraph } from 'holdfast';
import { flowOf } from '../../input/mermaid-flow.ts';
import type { Output } from '../../output/output.ts';
import { printable, widestOf } from '../../output/printable.ts';
import type { CommandFn } from '../../program/command-spec.ts';
import { graphNamed, loadGraphs } from '../../project/load-graphs.ts';

/** `holdfast graph [name]`. */
export const graph: CommandFn<{ readonly mermaid?: boolean }> = async ({ out, project }, [name], { mermaid }) => {
  const { graphs } = await loadGraphs(project.graphs);
  const chosen = name === undefined ? graphs : [graphNamed(graphs, name)];
  if (mermaid === true && out.mode === 'human') {
    for (const each of chosen) out.text(`${each.mermaid()}\n`);
    return 0;
  }
  await out.list({
    names: { all: 'graphs', one: 'graph' },
    items: chosen.map((each) => ({ ...faceOf(each), nodes: flowOf(each.mermaid()), mermaid: each.mermaid() })),
    human: () => chosen.flatMap((each, index) => [...(index === 0 ? [] : ['']), ...graphLines(out, each)]),
  });
  return 0;
};

function faceOf({ name, version, fingerprint }: AnyGraph): object {
  return { name, version, fingerprint };
}

function graphLines(out: Output, graph: AnyGraph): readonly string[] {
  const nodes = flowOf(graph.mermaid());
  const width = widestOf(nodes.map(({ name }) => name));
  return [
    `${out.paint.bold(graph.name)} v${graph.version} ${out.paint.dim(graph.fingerprint)}`,
    ...nodes.map(({ name, ways }) => {
      const targets = ways.map(({ to, by }) =>
        by === undefined ? printable(to) : `${printable(to)} ${out.paint.dim(`(${by})`)}`,
      );
      return `  ${out.paint.cyan(printable(name).padEnd(width))} → ${targets.join(', ')}`;
    }),
  ];
}
