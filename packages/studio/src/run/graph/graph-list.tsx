import type { JSX } from 'preact';
import { Icon } from '../../part/icon.tsx';
import type { Story } from '../fold/story.ts';
import type { NodeView } from './node-view.ts';
import type { GraphStructure } from './shape.ts';

interface ListedNode {
  readonly key: string;
  readonly name: string;
  readonly depth: number;
  readonly graph: string | undefined;
}

/** The nodes in the order in which they ran, then those that have not, as they are declared. */
function listedNodes(structure: GraphStructure, story: Story | undefined): readonly ListedNode[] {
  const ran = [...new Set(story?.tasks.map(({ node }) => node))];
  const orderOf = (name: string): number => {
    const at = ran.indexOf(name);
    return at === -1 ? ran.length : at;
  };
  const inner = ({ nodes }: GraphStructure, prefix: string, depth: number): readonly ListedNode[] =>
    nodes.flatMap((node) => [
      { key: prefix + node.name, name: node.name, depth, graph: node.inner?.name },
      ...(node.inner === undefined ? [] : inner(node.inner, `${prefix}${node.name}/`, depth + 1)),
    ]);
  const { nodes } = structure;
  const sorted = nodes.toSorted((left, right) => orderOf(left.name) - orderOf(right.name));
  return inner({ ...structure, nodes: sorted }, '', 0);
}

/** The twin of the graph: a list, in the order of execution. */
export function GraphList({
  structure,
  views,
  selected,
  story,
  onPick,
}: {
  readonly structure: GraphStructure;
  readonly views: ReadonlyMap<string, NodeView>;
  readonly selected: ReadonlySet<string>;
  readonly story: Story | undefined;
  readonly onPick: (key: string) => void;
}): JSX.Element {
  return (
    <ol class="glist" aria-label="Nodes, in the order in which they ran">
      {listedNodes(structure, story).map(({ key, name, depth, graph }) => {
        const view = views.get(key);
        const status = view?.status ?? 'pending';
        const isSelected = selected.has(key);
        return (
          <li
            key={key}
            class={`${isSelected ? 'sel' : ''}${status === 'pending' ? ' off' : ''}`}
            style={{ '--d': String(depth) }}
          >
            <button type="button" aria-pressed={isSelected} onClick={() => onPick(key)}>
              <Icon name={status} class={`c-${status}`} />
              <span class="sr">{status},</span>
              <span class="med">{name}</span>
              <span class="muted cut">{graph === undefined ? view?.detail : `graph ${graph}`}</span>
              <span class="grow" />
              <span class="faint nowrap">{view?.meta}</span>
            </button>
          </li>
        );
      })}
    </ol>
  );
}
