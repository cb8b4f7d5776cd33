import type { JSX } from 'preact';
import { useMemo } from 'preact/hooks';
import type { Loaded } from '../../api/use-load.ts';
import { cutId } from '../../format/id.ts';
import { counted } from '../../format/number.ts';
import { Button, ButtonLink } from '../../part/button.tsx';
import { Shown } from '../../part/state.tsx';
import { hrefTo } from '../../shell/router.ts';
import { type DiffRow, diffRows } from '../diff/diff-rows.ts';
import { useRunContext } from '../page/run-context.ts';
import { useWindow } from '../page/use-window.ts';
import type { Changes } from './use-changes.ts';

const rowHeight = 22;

/** What changed, since the parent or the marked checkpoint. */
export function DiffTab({ changes }: { readonly changes: Loaded<Changes> }): JSX.Element {
  const { selected, marked, rows, mark } = useRunContext();
  const parent = rows.find(({ id }) => id === selected?.checkpoint)?.parent;
  if (parent === undefined && (marked === undefined || marked === selected?.checkpoint))
    return (
      <p class="quiet">
        This is the first checkpoint: there is nothing before it to compare it with. Mark it with v, then select another
        one.
      </p>
    );
  return (
    <Shown of={changes} what="the differences">
      {({ from, to, changes: found, isCut }) => (
        <>
          <div class="tabbar2">
            <span class="muted cut">
              {isCut ? `${found.length}+ changes` : counted(found.length, 'change')} from{' '}
              <code>{shortName(from, to)}</code> to <code>{shortName(to, from)}</code>
            </span>
            <span class="grow" />
            {marked !== undefined && (
              <Button isSmall kind="ghost" onClick={() => mark(undefined)}>
                With the parent
              </Button>
            )}
            <ButtonLink isSmall icon="diff" href={hrefTo(['compare'], { a: from, b: to })}>
              Side by side
            </ButtonLink>
          </div>
          {found.length === 0 ? <p class="quiet">Nothing changed.</p> : <DiffLines rows={diffRows(found)} />}
        </>
      )}
    </Shown>
  );
}

/** Within a run, the number is enough. */
function shortName(checkpoint: string, other: string): string {
  const [, run = '', seq = ''] = /^(.*)@(\d+)$/u.exec(checkpoint) ?? [];
  return other.startsWith(`${run}@`) ? `@${seq}` : `${cutId(run)}@${seq}`;
}

/** The lines of a diff; of a long one, those that are in sight. */
function DiffLines({ rows }: { readonly rows: readonly DiffRow[] }): JSX.Element {
  const { first, end, ref } = useWindow(rows.length, rowHeight);
  const shown = useMemo(() => rows.slice(first, end), [rows, first, end]);
  return (
    <div class="df windowed" ref={ref} style={{ height: `${rows.length * rowHeight}px` }}>
      {shown.map((row, index) => (
        <Line key={first + index} row={row} top={(first + index) * rowHeight} />
      ))}
    </div>
  );
}

function Line({ row, top }: { readonly row: DiffRow; readonly top: number }): JSX.Element {
  const style = { top: `${top}px` };
  if (row.kind === 'heading')
    return (
      <div class="h" style={style}>
        <span class="g_" />
        <span class="cut" title={row.path}>
          {row.path} <span class="faint">{row.fact}</span>
        </span>
      </div>
    );
  if (row.kind === 'cut')
    return (
      <div style={style}>
        <span class="g_" />
        <span class="faint">{row.text}</span>
      </div>
    );
  const isAdded = row.kind === 'added';
  const text = row.parts.map((part) => part.text).join('');
  return (
    <div class={isAdded ? 'p' : 'm'} style={style} title={text.length > 60 ? text : undefined}>
      <span class="g_" aria-label={row.kind}>
        {isAdded ? '+' : '−'}
      </span>
      <span class="cut pre">
        {row.parts.map(({ text: part, isChanged }, index) =>
          isChanged ? isAdded ? <ins key={index}>{part}</ins> : <del key={index}>{part}</del> : part,
        )}
      </span>
    </div>
  );
}
