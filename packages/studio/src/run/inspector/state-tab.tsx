import type { StateNode } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import { client } from '../../api/client.ts';
import { asked } from '../../api/live.ts';
import type { Loaded } from '../../api/use-load.ts';
import { Icon } from '../../part/icon.tsx';
import { Problem, Skeleton } from '../../part/state.tsx';
import { useRunContext } from '../page/run-context.ts';
import { useWindow } from '../page/use-window.ts';
import { changesByPath, openAtFirst, type StateRow, sliceSize, stateRows, withSlice } from '../state/state-tree.ts';
import type { Changes } from './use-changes.ts';

const rowHeight = 22;

/** The state at the selected checkpoint: a tree over slices, so that 5 MB open at once. */
export function StateTab({ changes }: { readonly changes: Loaded<Changes> }): JSX.Element {
  const { run, selected, marked } = useRunContext();
  const checkpoint = selected?.checkpoint ?? '';
  const tree = useStateTree(run.id, checkpoint);
  const found = changes.data?.to === checkpoint ? changes.data.changes : [];
  const byPath = useMemo(() => changesByPath(found), [changes.data, checkpoint]);
  const [open, setOpen] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => setOpen(openAtFirst(byPath)), [byPath]);
  const [filter, setFilter] = useState('');
  const rows = useMemo(() => stateRows({ slices: tree.slices, open }, byPath), [tree.slices, open, byPath]);
  const shown =
    filter === ''
      ? rows
      : rows.filter(({ path, text }) => `${path} ${text}`.toLowerCase().includes(filter.toLowerCase()));
  useEffect(() => {
    for (const row of rows) if (row.isOpen === true && needsSlice(row, tree.slices, rows)) tree.load(row.path, 0);
  }, [rows, tree]);
  if (tree.error !== undefined) return <Problem error={tree.error} onRetry={tree.reload} />;
  if (!tree.slices.has('')) return tree.isSlow ? <Skeleton what="the state" /> : <></>;
  const toggle = ({ path, isOpen, kind, from }: StateRow): void => {
    if (kind === 'more') return tree.load(path, from);
    if (isOpen !== undefined) setOpen((before) => toggled(before, path));
  };
  return (
    <>
      <div class="tabbar2">
        <span class="muted cut">{changedText(changes.data, marked)}</span>
        <span class="grow" />
        <label class="statefind">
          <Icon name="search" />
          <span class="sr">Find in what is open</span>
          <input
            type="search"
            placeholder="Find"
            value={filter}
            onInput={(event) => setFilter(event.currentTarget.value)}
          />
        </label>
      </div>
      {rows.length === 0 ? <p class="quiet">The state is empty.</p> : <Tree rows={shown} onToggle={toggle} />}
    </>
  );
}

function changedText(changes: Changes | undefined, marked: string | undefined): JSX.Element | string {
  if (changes === undefined) return 'State';
  const since = <code>@{/@(\d+)$/u.exec(changes.from)?.[1]}</code>;
  if (changes.changes.length === 0) return <>Nothing changed since {since}</>;
  return (
    <>
      Changed since {marked === changes.from ? 'the marked' : 'parent'} {since}
    </>
  );
}

/** An open value of which nothing has been sent, or less than a slice. */
function needsSlice({ path }: StateRow, slices: ReadonlyMap<string, StateNode>, rows: readonly StateRow[]): boolean {
  if (slices.has(path)) return false;
  const at = rows.findIndex((row) => row.path === path);
  const next = rows[at + 1];
  return next?.kind === 'more' && next.path === path;
}

function toggled(before: ReadonlySet<string>, path: string): ReadonlySet<string> {
  const after = new Set(before);
  if (!after.delete(path)) after.add(path);
  return after;
}

interface LoadedTree {
  readonly slices: ReadonlyMap<string, StateNode>;
  readonly error: Error | undefined;
  readonly isSlow: boolean;
  readonly load: (path: string, from: number) => void;
  readonly reload: () => void;
}

const slowMs = 300;

/** The slices of a state that are loaded. What is shown of another checkpoint stays until the first slice is there. */
function useStateTree(runId: string, checkpoint: string): LoadedTree {
  const [held, setHeld] = useState<{ readonly checkpoint: string; readonly slices: ReadonlyMap<string, StateNode> }>();
  const [error, setError] = useState<Error>();
  const [isSlow, setSlow] = useState(false);
  const wanted = useRef(checkpoint);
  const asking = useRef(new Set<string>());
  wanted.current = checkpoint;
  const load = (path: string, from: number): void => {
    const key = `${checkpoint} ${path} ${from}`;
    if (asking.current.has(key)) return;
    asking.current.add(key);
    asked(client.state(runId, { at: checkpoint, path, from, n: sliceSize, depth: path === '' ? 3 : 2 })).then(
      ({ node }) => {
        asking.current.delete(key);
        if (wanted.current !== checkpoint || node === undefined) return;
        setHeld((before) => ({
          checkpoint,
          slices: withSlice(before?.checkpoint === checkpoint ? before.slices : new Map(), path, node),
        }));
      },
      (cause: unknown) => {
        asking.current.delete(key);
        if (wanted.current === checkpoint) setError(cause instanceof Error ? cause : new Error(String(cause)));
      },
    );
  };
  const reload = (): void => {
    setError(undefined);
    load('', 0);
  };
  useEffect(() => {
    if (checkpoint === '') return undefined;
    reload();
    const timer = setTimeout(() => setSlow(true), slowMs);
    return () => clearTimeout(timer);
  }, [runId, checkpoint]);
  return {
    slices: held?.slices ?? new Map(),
    error: held?.checkpoint === checkpoint ? undefined : error,
    isSlow,
    load,
    reload,
  };
}

function Tree({
  rows,
  onToggle,
}: {
  readonly rows: readonly StateRow[];
  readonly onToggle: (row: StateRow) => void;
}): JSX.Element {
  const { first, end, ref, show } = useWindow(rows.length, rowHeight);
  const [cursor, setCursor] = useState(0);
  const at = Math.min(cursor, rows.length - 1);
  const move = (event: KeyboardEvent): void => {
    const row = rows[at];
    const to =
      event.key === 'ArrowDown'
        ? at + 1
        : event.key === 'ArrowUp'
          ? at - 1
          : event.key === 'Home'
            ? 0
            : event.key === 'End'
              ? rows.length - 1
              : undefined;
    const isToggle =
      event.key === 'Enter' ||
      event.key === ' ' ||
      (event.key === 'ArrowRight' && row?.isOpen === false) ||
      (event.key === 'ArrowLeft' && row?.isOpen === true);
    if (to === undefined && !isToggle) return;
    event.preventDefault();
    if (to !== undefined) {
      const next = Math.max(0, Math.min(rows.length - 1, to));
      setCursor(next);
      show(next);
    } else if (row !== undefined) onToggle(row);
  };
  return (
    <div class="st8" role="tree" aria-label="State" tabIndex={0} aria-activedescendant={`st-${at}`} onKeyDown={move}>
      <div class="windowed" role="presentation" ref={ref} style={{ height: `${rows.length * rowHeight}px` }}>
        {rows.slice(first, end).map((row, index) => (
          <Row
            key={`${row.path} ${row.kind}`}
            row={row}
            index={first + index}
            isCursor={first + index === at}
            onToggle={() => onToggle(row)}
            onPoint={() => setCursor(first + index)}
          />
        ))}
      </div>
    </div>
  );
}

const kinds: Readonly<Partial<Record<StateRow['kind'], string>>> = {
  string: 'str',
  number: 'nb',
  boolean: 'kw',
  null: 'kw',
  bigint: 'nb',
};
const typeNames: Readonly<Partial<Record<StateRow['kind'], string>>> = {
  date: 'Date',
  bytes: 'Uint8Array',
  bigint: 'bigint',
};

function Row({
  row,
  index,
  isCursor,
  onToggle,
  onPoint,
}: {
  readonly row: StateRow;
  readonly index: number;
  readonly isCursor: boolean;
  readonly onToggle: () => void;
  readonly onPoint: () => void;
}): JSX.Element {
  const { kind, name, text, isOpen, change, was, depth } = row;
  const type = typeNames[kind];
  const click = (): void => {
    onPoint();
    onToggle();
  };
  const mark = change === 'added' ? ' a' : change === 'changed' ? ' c' : '';
  return (
    <div
      class={`srow${mark}${isCursor ? ' cur' : ''}`}
      id={`st-${index}`}
      role="treeitem"
      aria-level={depth + 1}
      aria-expanded={isOpen}
      style={{ '--d': String(depth), top: `${index * rowHeight}px` }}
      onClick={click}
    >
      <span class="tw">{isOpen !== undefined && <Icon name={isOpen ? 'down' : 'right'} />}</span>
      {kind === 'more' ? (
        <span class="link">{text}</span>
      ) : (
        <>
          <span class="k">{name}</span>
          <span class={`cut ${kinds[kind] ?? 'dim'}`} title={text.length > 40 ? text : undefined}>
            {type !== undefined && <span class="ty">{type} </span>}
            {text}
          </span>
          {was !== undefined && <span class="chg dim">{was}</span>}
          {change !== undefined && <span class="sr">, {change}</span>}
        </>
      )}
    </div>
  );
}
