import type { JSX } from 'preact';
import { IconAt } from '../../part/icon.tsx';
import type { NodeView } from './node-view.ts';
import type { Drawing, PlacedEdge, PlacedNode } from './shape.ts';

/** The drawing of a graph. */
export function GraphPicture({
  drawing,
  views,
  taken,
  selected,
  scale,
  title,
  onPick,
}: {
  readonly drawing: Drawing;
  readonly views: ReadonlyMap<string, NodeView>;
  readonly taken: ReadonlyMap<string, 'taken' | 'live'>;
  readonly selected: ReadonlySet<string>;
  readonly scale: number;
  readonly title: string;
  readonly onPick: (key: string) => void;
}): JSX.Element {
  const { width, height, nodes, edges } = drawing;
  // What was taken lies over what was not.
  const drawn = edges.toSorted((left, right) => Number(taken.has(left.key)) - Number(taken.has(right.key)));
  const frames = nodes.filter(({ graph }) => graph !== undefined);
  const leaves = nodes.filter(({ graph }) => graph === undefined);
  return (
    <svg
      class="g"
      width={width * scale}
      height={height * scale}
      viewBox={`0 0 ${width} ${height}`}
      role="group"
      aria-label={`Graph ${title}`}
    >
      {frames.map((node) => (
        <Subgraph
          key={node.key}
          node={node}
          view={views.get(node.key)}
          isSelected={selected.has(node.key)}
          onPick={onPick}
        />
      ))}
      {drawn.map((edge) => (
        <Edge key={edge.key} edge={edge} how={taken.get(edge.key)} />
      ))}
      {leaves.map((node) =>
        node.kind === 'start' || node.kind === 'end' ? (
          <Terminal key={node.key} node={node} isReached={nodeReached(node, edges, taken)} />
        ) : (
          <Node
            key={node.key}
            node={node}
            view={views.get(node.key)}
            isSelected={selected.has(node.key)}
            onPick={onPick}
          />
        ),
      )}
    </svg>
  );
}

function nodeReached(
  { key, kind }: PlacedNode,
  edges: readonly PlacedEdge[],
  taken: ReadonlyMap<string, unknown>,
): boolean {
  return edges.some((edge) => (kind === 'start' ? edge.from : edge.to) === key && taken.has(edge.key));
}

function Edge({
  edge: { path, end, heading },
  how,
}: {
  readonly edge: PlacedEdge;
  readonly how: 'taken' | 'live' | undefined;
}): JSX.Element {
  const className = how === undefined ? 'no' : how === 'live' ? 'live' : '';
  return (
    <>
      <path class={`e ${className}`} d={path} />
      <path class={`ah ${className}`} d={arrows[heading](end.x, end.y)} />
    </>
  );
}

const arrows: Readonly<Record<PlacedEdge['heading'], (x: number, y: number) => string>> = {
  down: (x, y) => `M${x - 4} ${y - 6.5}h8L${x} ${y}z`,
  up: (x, y) => `M${x - 4} ${y + 6.5}h8L${x} ${y}z`,
  right: (x, y) => `M${x - 6.5} ${y - 4}v8L${x} ${y}z`,
  left: (x, y) => `M${x + 6.5} ${y - 4}v8L${x} ${y}z`,
};

function Terminal({
  node: { x, y, width, name },
  isReached,
}: {
  readonly node: PlacedNode;
  readonly isReached: boolean;
}): JSX.Element {
  return (
    <g class={isReached ? '' : 'unreached'}>
      <circle class="term" cx={x} cy={y} r={width / 2} />
      {isReached && <circle class="termin" cx={x} cy={y} r="4" />}
      <text class="sub" x={x + 16} y={y + 4}>
        {name}
      </text>
    </g>
  );
}

interface NodeProps {
  readonly node: PlacedNode;
  readonly view: NodeView | undefined;
  readonly isSelected: boolean;
  readonly onPick: (key: string) => void;
}

const looks = {
  pending: 'idle',
  running: 'cur',
  waiting: 'wait',
  failed: 'fail',
  completed: '',
  cancelled: '',
  suspended: 'susp',
} as const;
const perCharacter = 6.9;
const perMetaCharacter = 5.9;

function buttonProps({ node, view, isSelected, onPick }: NodeProps) {
  // What is seen comes first, as it is seen: people who speak to their machine say that.
  const seen = [shownName(node, view), graphOf(node), view?.meta, view?.badge].filter(isSaid).join(' ');
  const said = [seen, view?.status ?? 'pending', view?.detail].filter(isSaid);
  return {
    role: 'button',
    tabIndex: 0,
    'aria-label': said.join(', '),
    'aria-pressed': isSelected,
    onClick: () => onPick(node.key),
    onKeyDown: (event: KeyboardEvent) => {
      if (event.key !== 'Enter' && event.key !== ' ') return;
      event.preventDefault();
      onPick(node.key);
    },
  } as const;
}

function isSaid(part: string | undefined): part is string {
  return part !== undefined && part !== '';
}

function graphOf({ graph }: PlacedNode): string | undefined {
  return graph === undefined ? undefined : `graph ${graph}`;
}

/** The name as far as there is room for it beside what is said of the node. */
function shownName({ name, graph, width }: PlacedNode, view: NodeView | undefined): string {
  if (graph !== undefined) return name;
  return fitted(name, Math.floor((width - 44 - (view?.meta ?? '').length * perMetaCharacter) / perCharacter));
}

function Node(props: NodeProps): JSX.Element {
  const { node, view, isSelected } = props;
  const { x, y, width, height, name } = node;
  const left = x - width / 2;
  const top = y - height / 2;
  const status = view?.status ?? 'pending';
  const box = { x: left, y: top, width, height, rx: 8 };
  const meta = view?.meta ?? '';
  return (
    <g class="node" {...buttonProps(props)}>
      {isSelected && <rect class="halo" {...box} />}
      <rect class={`nd ${looks[status]}`} {...box} />
      {isSelected && <rect class="sel" {...box} />}
      <IconAt name={status} x={left + 10} y={y - 7.5} size={15} class={`c-${status}`} />
      <text x={left + 32} y={y + 4.3}>
        {shownName(node, view)}
      </text>{' '}
      {meta !== '' && (
        <text class="sub" x={left + width - 10} y={y + 4} text-anchor="end">
          {meta}
        </text>
      )}{' '}
      <Badge view={view} right={left + width} top={top} />
      <title>{name}</title>
    </g>
  );
}

function Badge({
  view,
  right,
  top,
}: {
  readonly view: NodeView | undefined;
  readonly right: number;
  readonly top: number;
}): JSX.Element | null {
  const badge = view?.badge;
  if (badge === undefined) return null;
  const width = badge.length * 5.6 + 14;
  const bad = view?.isBadgeBad === true ? ' f' : '';
  return (
    <>
      <rect class={`badge${bad}`} x={right - 6 - badge.length * 5.6} y={top - 9} width={width} height="17" rx="8.5" />
      <text class={`bt${bad}`} x={right + 1 - badge.length * 2.8} y={top + 3.3} text-anchor="middle">
        {badge}
      </text>
    </>
  );
}

function Subgraph(props: NodeProps): JSX.Element {
  const { node, view, isSelected } = props;
  const { x, y, width, height, name } = node;
  const left = x - width / 2;
  const top = y - height / 2;
  const status = view?.status ?? 'pending';
  const box = { x: left, y: top, width, height, rx: 10 };
  const look = status === 'pending' ? ' idle' : status === 'completed' ? ' done' : '';
  return (
    <g class="node" {...buttonProps(props)}>
      {isSelected && <rect class="halo" {...box} />}
      <rect class={`sg${look}`} {...box} />
      {isSelected && <rect class="sel" {...box} />}
      <IconAt name={status} x={left + 11} y={top + 7} size={13} class={`c-${status}`} />
      <text x={left + 30} y={top + 18}>
        {name}
      </text>{' '}
      <text class="sub" x={left + 36 + name.length * perCharacter} y={top + 18}>
        {graphOf(node)}
      </text>{' '}
      {view !== undefined && view.meta !== '' && (
        <text class="sub" x={left + width - 11} y={top + 18} text-anchor="end">
          {view.meta}
        </text>
      )}{' '}
      <Badge view={view} right={left + width} top={top} />
    </g>
  );
}

function fitted(name: string, room: number): string {
  return name.length <= room ? name : `${name.slice(0, Math.max(1, room - 1))}…`;
}
