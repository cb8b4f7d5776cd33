// A state as rows that are shown when they are scrolled to. The server sends slices; what was not sent has a row that
// asks for it. Of a list of 100,000 items there are as many rows as were opened, and in the page never more than fit.
import type { ChangeJson, StateNode } from '@holdfast/server/client';

/** How many items one request brings. */
export const sliceSize = 200;

/** A row of the tree. */
export interface StateRow {
  /** A JSON pointer. */
  readonly path: string;
  readonly depth: number;
  readonly name: string;
  readonly kind: StateNode['kind'] | 'more' | 'unset';
  /** The value, or what is inside, in a few words. */
  readonly text: string;
  readonly isOpen: boolean | undefined;
  readonly change: 'added' | 'changed' | undefined;
  /** What it was: `1204 → 2871`. */
  readonly was: string | undefined;
  /** For `more`: the next slice of the parent. */
  readonly from: number;
}

/** The slices that are loaded, by path, and what is open. */
export interface TreeState {
  readonly slices: ReadonlyMap<string, StateNode>;
  readonly open: ReadonlySet<string>;
}

/** Changes since the parent, by path. */
export type ChangeMap = ReadonlyMap<string, ChangeJson>;

/** Changes by their paths. */
export function changesByPath(changes: readonly ChangeJson[]): ChangeMap {
  return new Map(changes.map((change) => [change.path, change]));
}

/** The rows of what is open, from top to bottom. */
export function stateRows({ slices, open }: TreeState, changes: ChangeMap): readonly StateRow[] {
  const root = slices.get('');
  if (root === undefined) return [];
  const rows: StateRow[] = [];
  const within = ancestorsOf(changes);
  const walk = (node: StateNode, path: string, depth: number, isAdded: boolean): void => {
    for (const { key, node: item } of node.items ?? []) {
      const itemPath = `${path}/${escaped(String(key))}`;
      const change = changes.get(itemPath);
      const isNew = isAdded || change?.op === 'add';
      const hasItems = isContainer(item) && (item.size ?? 0) > 0;
      const isOpen = hasItems ? open.has(itemPath) : undefined;
      const mark = isNew ? 'added' : change?.op === 'replace' || within.has(itemPath) ? 'changed' : undefined;
      rows.push({
        path: itemPath,
        depth,
        name: String(key),
        kind: item.kind,
        text: textOf(item),
        isOpen,
        change: mark,
        was: isNew ? undefined : wasOf(change, item, within.get(itemPath)),
        from: 0,
      });
      if (isOpen === true) walk(slices.get(itemPath) ?? item, itemPath, depth + 1, isNew);
    }
    const shown = (node.from ?? 0) + (node.items?.length ?? 0);
    const left = (node.size ?? 0) - shown;
    if (left > 0) rows.push(moreRow({ path, depth, left, from: shown, isLoading: node.items === undefined }));
  };
  walk(root, '', 0, false);
  return rows;
}

function moreRow({
  path,
  depth,
  left,
  from,
  isLoading,
}: {
  path: string;
  depth: number;
  left: number;
  from: number;
  isLoading: boolean;
}): StateRow {
  const text = isLoading
    ? 'loading'
    : `${Math.min(sliceSize, left).toLocaleString('en-US')} more of ${left.toLocaleString('en-US')}`;
  return { path, depth, name: '', kind: 'more', text, isOpen: undefined, change: undefined, was: undefined, from };
}

/** How many items were added below each path: what `6 → 7` is made of. */
function ancestorsOf(changes: ChangeMap): ReadonlyMap<string, number> {
  const within = new Map<string, number>();
  for (const { path, op } of changes.values()) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) {
      const parent = path.slice(0, end);
      const isDirect = end === path.lastIndexOf('/');
      within.set(parent, (within.get(parent) ?? 0) + (isDirect ? (op === 'add' ? 1 : op === 'remove' ? -1 : 0) : 0));
    }
  }
  return within;
}

function wasOf(change: ChangeJson | undefined, item: StateNode, added: number | undefined): string | undefined {
  if (change?.op === 'replace') return `${shortJson(change.before)} → ${shortJson(change.after)}`;
  if (added === undefined || added === 0 || item.size === undefined) return undefined;
  return `${item.size - added} → ${item.size}`;
}

/** A slice that has arrived: its items follow those that are there. */
export function withSlice(
  slices: ReadonlyMap<string, StateNode>,
  path: string,
  slice: StateNode,
): ReadonlyMap<string, StateNode> {
  const before = slices.get(path);
  const isNext = before?.items !== undefined && slice.from === (before.from ?? 0) + before.items.length;
  const joined = isNext
    ? { ...slice, from: before.from ?? 0, items: [...(before.items ?? []), ...(slice.items ?? [])] }
    : slice;
  return new Map([...slices, [path, joined]]);
}

/** What was added or changed is open from the start, as far as it is small. */
export function openAtFirst(changes: ChangeMap): ReadonlySet<string> {
  const open = new Set<string>();
  for (const { path, op, after } of changes.values()) {
    for (let end = path.lastIndexOf('/'); end > 0; end = path.lastIndexOf('/', end - 1)) open.add(path.slice(0, end));
    if (op === 'add' && typeof after === 'object' && after !== null && Object.keys(after).length <= 12) open.add(path);
    if (open.size > 60) break;
  }
  return open;
}

/** Whether a value has items. */
function isContainer({ kind }: Pick<StateNode, 'kind'>): boolean {
  return kind === 'object' || kind === 'list' || kind === 'map' || kind === 'set';
}

const longestText = 200;

/** A value, or what is inside of it, in a few words. */
export function textOf({ kind, value, size = 0, items }: StateNode): string {
  switch (kind) {
    case 'string': {
      const text = typeof value === 'string' ? value : '';
      const length = Math.max(size, text.length);
      return length > longestText
        ? `${JSON.stringify(text.slice(0, longestText))}… ${length.toLocaleString('en-US')} characters`
        : JSON.stringify(text);
    }
    case 'list':
      return size === 0 ? '[]' : `${size.toLocaleString('en-US')} ${size === 1 ? 'item' : 'items'}`;
    case 'map':
    case 'set':
      return `${kind === 'map' ? 'Map' : 'Set'}(${size.toLocaleString('en-US')})`;
    case 'object':
      return objectText(size, items);
    case 'null':
      return 'null';
    case 'redacted':
      return 'hidden by the server';
    default:
      return typeof value === 'string' ? value : JSON.stringify(value);
  }
}

function objectText(size: number, items: StateNode['items']): string {
  if (size === 0) return '{}';
  if (items === undefined || items.length === 0)
    return `{ ${size.toLocaleString('en-US')} ${size === 1 ? 'field' : 'fields'} }`;
  const names = items.slice(0, 4).map(({ key }) => String(key));
  return `{ ${names.join(', ')}${size > names.length ? ', …' : ''} }`;
}

function shortJson(value: unknown): string {
  const text = JSON.stringify(value) ?? 'not set';
  return text.length > 24 ? `${text.slice(0, 23)}…` : text;
}

function escaped(key: string): string {
  return key.replaceAll('~', '~0').replaceAll('/', '~1');
}
