import type { GraphJson } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { Icon } from '../part/icon.tsx';
import type { IconName } from '../part/icon-shapes.ts';

type Structure = GraphJson['structure'];

const icons: Readonly<Record<Structure['nodes'][number]['type'], IconName>> = {
  node: 'code',
  workflow: 'code',
  each: 'runs',
  graph: 'graph',
};

interface Listed {
  readonly key: string;
  readonly name: string;
  readonly depth: number;
  readonly icon: IconName;
  readonly to: readonly string[];
}

/** The nodes as they are declared, and where each leads. */
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
