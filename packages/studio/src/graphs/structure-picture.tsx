import type { GraphJson } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { Icon, IconAt } from '../part/icon.tsx';
import type { IconName } from '../part/icon-shapes.ts';
import type { PlacedEdge, PlacedNode } from '../run/graph/shape.ts';
import { useLayout } from '../run/graph/use-layout.ts';

type Structure = GraphJson['structure'];

const icons: Readonly<Record<PlacedNode['kind'], IconName>> = {
  node: 'code',
  workflow: 'code',
  each: 'runs',
  graph: 'graph',
  start: 'resume',
  end: 'stop',
};

/** A graph as it is declared: no run, no status. Its list twin says the same. */
export function StructurePicture({ structure }: { readonly structure: Structure }): JSX.Element {
  const drawing = useLayout(structure);
  if (drawing === undefined) return <div class="g" />;
  const { width, height, nodes, edges } = drawing;
  return (
    <svg
      class="g"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`The graph ${structure.name}`}
    >
      {nodes.filter(isFrame).map((node) => (
        <Frame key={node.key} node={node} />
      ))}
      {edges.map((edge) => (
        <Edge key={edge.key} edge={edge} />
      ))}
      {nodes
        .filter((node) => !isFrame(node))
        .map((node) => (
          <Leaf key={node.key} node={node} />
        ))}
    </svg>
  );
}

function isFrame({ graph }: PlacedNode): boolean {
  return graph !== undefined;
}

function Frame({ node: { x, y, width, height, name, graph } }: { readonly node: PlacedNode }): JSX.Element {
  const left = x - width / 2;
  const top = y - height / 2;
  return (
    <g>
      <rect class="sg pl" x={left} y={top} width={width} height={height} rx={10} />
      <IconAt name="graph" x={left + 11} y={top + 7} size={13} class="c-graph" />
      <text x={left + 30} y={top + 18}>
        {name} <tspan class="sub">graph {graph}</tspan>
      </text>
    </g>
  );
}

function Leaf({ node: { x, y, width, height, name, kind } }: { readonly node: PlacedNode }): JSX.Element {
  if (kind === 'start' || kind === 'end')
    return (
      <g>
        <circle class="term" cx={x} cy={y} r={width / 2} />
        <text class="sub" x={x + width / 2 + 8} y={y + 4}>
          {kind}
        </text>
      </g>
    );
  const left = x - width / 2;
  return (
    <g>
      <rect class="nd" x={left} y={y - height / 2} width={width} height={height} rx={8} />
      <IconAt name={icons[kind]} x={left + 10} y={y - 7.5} size={15} class="c-code" />
      <text x={left + 32} y={y + 4.3}>
        {name}
      </text>
    </g>
  );
}

function Edge({ edge: { path, end, heading } }: { readonly edge: PlacedEdge }): JSX.Element {
  return (
    <>
      <path class="e" d={path} />
      <path class="ah" d={arrows[heading](end.x, end.y)} />
    </>
  );
}

const arrows: Readonly<Record<PlacedEdge['heading'], (x: number, y: number) => string>> = {
  down: (x, y) => `M${x - 4} ${y - 6.5}h8L${x} ${y}z`,
  up: (x, y) => `M${x - 4} ${y + 6.5}h8L${x} ${y}z`,
  right: (x, y) => `M${x - 6.5} ${y - 4}v8L${x} ${y}z`,
  left: (x, y) => `M${x + 6.5} ${y - 4}v8L${x} ${y}z`,
};

interface Listed {
  readonly key: string;
  readonly name: string;
  readonly depth: number;
  readonly icon: IconName;
  readonly to: readonly string[];
}

/** The twin of the picture: the nodes as they are declared, and where each leads. */
export function StructureList({ structure }: { readonly structure: Structure }): JSX.Element {
  return (
    <ol class="slist" aria-label="Nodes">
      {listed(structure, '', 0).map(({ key, name, depth, icon, to }) => (
        <li key={key} style={{ paddingLeft: `${12 + 20 * depth}px` }}>
          <Icon name={icon} />
          <span class="med">{name}</span>
          <span class="muted cut">{to.length === 0 ? '' : `→ ${to.join(', ')}`}</span>
        </li>
      ))}
    </ol>
  );
}

function listed({ nodes, edges }: Structure, prefix: string, depth: number): readonly Listed[] {
  return nodes.flatMap(({ name, type, inner }) => [
    {
      key: prefix + name,
      name,
      depth,
      icon: icons[type],
      to: edges.filter(({ from }) => from === name).map(({ to }) => to),
    },
    ...(inner === undefined ? [] : listed(inner, `${prefix}${name}/`, depth + 1)),
  ]);
}
