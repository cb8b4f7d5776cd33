import type { JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { exact } from '../../format/time.ts';
import { Icon } from '../../part/icon.tsx';
import { Mark } from '../../part/status.tsx';
import { jsonLines } from '../diff/diff-rows.ts';
import { rowOfSeq } from '../model/selection.ts';
import { useRunContext } from '../page/run-context.ts';
import { useWindow } from '../page/use-window.ts';
import { type JournalRow, journalRows } from './journal-rows.ts';

const rowHeight = 32;

/** The records, with what became of each. */
export function JournalTab(): JSX.Element {
  const { model, story, selected, own, select } = useRunContext();
  const { records, isCut } = model.journal;
  const rows = useMemo(() => journalRows(records, story), [story]);
  const { first, end, ref, show } = useWindow(rows.length, rowHeight);
  const [open, setOpen] = useState<number>();
  const at = rows.findIndex((row) => row.kind === 'record' && row.record.seq === selected?.seq);
  useEffect(() => {
    if (at >= 0) show(at);
  }, [at]);
  if (rows.length === 0) return <p class="quiet">No record has been written yet.</p>;
  const opened = rows.find((row) => row.kind === 'record' && row.record.seq === open);
  return (
    <>
      {isCut && (
        <p class="quiet">
          These are the last {records.length.toLocaleString('en-US')} records. The command line has all: holdfast
          journal.
        </p>
      )}
      <ol ref={ref as never} class="windowed" style={{ height: `${rows.length * rowHeight}px` }}>
        {rows.slice(first, end).map((row, index) => (
          <JournalLine
            key={row.kind === 'record' ? row.record.id : `${row.worker} ${row.isDeath} ${index}`}
            row={row}
            top={(first + index) * rowHeight}
            isSelected={row.kind === 'record' && row.record.seq === selected?.seq}
            onPick={(seq) => {
              setOpen(seq);
              const target = rowOfSeq(own, seq);
              if (target !== undefined) select(target);
            }}
          />
        ))}
      </ol>
      {opened?.kind === 'record' && (
        <div class="record">
          <p class="row">
            <code>{opened.record.id}</code>
            <span class="muted">{exact(opened.record.at)}</span>
            <span class="grow" />
            <button
              type="button"
              class="btn ghost s icon"
              aria-label="Close the record"
              onClick={() => setOpen(undefined)}
            >
              <Icon name="x" />
            </button>
          </p>
          <pre class="mono" tabIndex={0}>
            {jsonLines(opened.record.payload).join('\n')}
          </pre>
        </div>
      )}
    </>
  );
}

function JournalLine({
  row,
  top,
  isSelected,
  onPick,
}: {
  readonly row: JournalRow;
  readonly top: number;
  readonly isSelected: boolean;
  readonly onPick: (seq: number) => void;
}): JSX.Element {
  const style = { top: `${top}px` };
  if (row.kind === 'worker')
    return (
      <li class={`jr sep${row.isDeath ? ' c-failed' : ''}`} style={style}>
        <Icon name={row.isDeath ? 'skull' : 'cpu'} />
        <span class="cut">
          <code>{row.worker}</code> {row.text}
        </span>
      </li>
    );
  const { record, what, note, mark, aside } = row;
  return (
    <li class={isSelected ? 'jr on' : 'jr'} style={style}>
      <button type="button" class="jrb" aria-pressed={isSelected} onClick={() => onPick(record.seq)}>
        <code>@{record.seq}</code>
        <span class="kd">{record.kind}</span>
        <span class="cut" title={`${what} ${note}`}>
          {what} <span class="faint">{note}</span>
        </span>
        {mark === undefined ? <span class="faint nowrap">{aside}</span> : <Mark mark={mark} />}
      </button>
    </li>
  );
}
