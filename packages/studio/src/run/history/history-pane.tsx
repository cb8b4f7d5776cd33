import type { JSX } from 'preact';
import { useEffect, useMemo } from 'preact/hooks';
import { cutId } from '../../format/id.ts';
import { counted } from '../../format/number.ts';
import { Icon } from '../../part/icon.tsx';
import { Age } from '../../part/when.tsx';
import { useRunContext } from '../page/run-context.ts';
import { useWindow } from '../page/use-window.ts';
import type { TreeRow } from './fork-tree.ts';
import { type LanedRow, laned } from './lanes.ts';
import { LanesPicture, laneClass } from './lanes-picture.tsx';

const rowHeight = 34;
/** How near its end the list has to be for older checkpoints to be loaded. */
const nearEnd = 30;

/** The checkpoints of the run and its forks, in lanes, newest first. */
export function HistoryPane(): JSX.Element {
  const { rows, model, run, selected, select, marked } = useRunContext();
  const { root } = model;
  const { rows: all, lanes } = useMemo(() => laned(rows, root), [rows, root]);
  const { first, end, ref, show } = useWindow(all.length, rowHeight);
  const at = selected === undefined ? -1 : rows.indexOf(selected);
  useEffect(() => {
    if (at >= 0) show(at);
  }, [selected?.id]);
  useEffect(() => {
    if (model.older.value !== null && end > all.length - nearEnd) void model.loadOlder();
  }, [end, all.length, model.older.value]);
  const forks = model.branches.value.length - 1;
  const heads = new Map(
    model.branches.value.map(({ run: each }) => [rows.find(({ runId }) => runId === each.id)?.id, each.id]),
  );
  return (
    <section class="pane p-tree" aria-labelledby="history-title">
      <header>
        <h2 id="history-title">History</h2>
        <span class="faint cut">{forksText(forks, model.areForksCut.value)}</span>
        <span class="grow" />
        <kbd aria-hidden="true">j</kbd>
        <kbd aria-hidden="true">k</kbd>
      </header>
      <div
        class="body"
        role="listbox"
        aria-label="Checkpoints, newest first"
        tabIndex={0}
        aria-activedescendant={selected && rowId(selected)}
      >
        <div ref={ref} role="presentation" class="tree" style={{ height: `${all.length * rowHeight}px` }}>
          {all.slice(first, end).map((row, index) => (
            <HistoryRow
              key={row.row.id}
              laned={row}
              lanes={lanes}
              index={first + index}
              count={all.length}
              isSelected={row.row === selected}
              isMarked={row.row.checkpoint === marked && !row.row.isHead}
              branch={forks > 0 ? heads.get(row.row.id) : undefined}
              onSelect={() => select(row.row)}
            />
          ))}
        </div>
        {forks === 0 && run.kind === 'graph' && all.length < 40 && (
          <p class="nofork" role="presentation">
            No forks yet. Select a checkpoint and press <kbd>f</kbd> to try what else could have happened.
          </p>
        )}
      </div>
    </section>
  );
}

function forksText(forks: number, isCut: boolean): string {
  if (forks === 0) return 'no forks';
  return isCut ? `${forks}+ forks` : counted(forks, 'fork');
}

function rowId({ id }: TreeRow): string {
  return `row-${id}`;
}

function HistoryRow({
  laned: { row, lane, through, joins },
  lanes,
  index,
  count,
  isSelected,
  isMarked,
  branch,
  onSelect,
}: {
  readonly laned: LanedRow;
  readonly lanes: number;
  readonly index: number;
  readonly count: number;
  readonly isSelected: boolean;
  readonly isMarked: boolean;
  readonly branch: string | undefined;
  readonly onSelect: () => void;
}): JSX.Element {
  return (
    <div
      class={`trow ${laneClass(lane)}`}
      role="option"
      id={rowId(row)}
      aria-selected={isSelected}
      aria-posinset={index + 1}
      aria-setsize={count}
      style={{ top: `${index * rowHeight}px` }}
      onClick={onSelect}
    >
      <LanesPicture row={row} lane={lane} through={through} joins={joins} lanes={lanes} />
      <span class="sq">@{row.seq}</span>
      <span class="grow nw">
        <span class="nm cut">{row.name}</span>
        <span class="wh cut">{row.what}</span>
      </span>
      {isMarked && (
        <span class="tag" title="Marked for a diff">
          <Icon name="diff" />
        </span>
      )}
      {branch !== undefined && (
        <span class="br" title={branch}>
          {cutId(branch)}
        </span>
      )}
      <Age at={row.at} />
    </div>
  );
}
