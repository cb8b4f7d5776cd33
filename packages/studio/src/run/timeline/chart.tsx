import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { clock, dayAndClock, duration } from '../../format/time.ts';
import { Icon } from '../../part/icon.tsx';
import type { Story } from '../fold/story.ts';
import { isOver } from '../model/run-model.ts';
import { rowOfSeq } from '../model/selection.ts';
import type { RunContext } from '../page/run-context.ts';
import { isNarrow } from '../page/use-narrow.ts';
import { barsOf, captionPlace, type Row } from './rows.ts';
import { brushed, type Piece, type Scale, type Stretch, ticksOf } from './scale.ts';

interface ChartProps {
  readonly rows: readonly Row[];
  readonly scale: Scale;
  readonly time: number;
  readonly context: RunContext;
  /** The time of the selected checkpoint. */
  readonly stretch: Stretch | undefined;
  readonly onZoom: (zoom: Stretch) => void;
}

/** From here on, "now" stands at the end of the axis. */
const nowFrom = 0.93;

/** The rows over their axis. */
export function Chart(props: ChartProps): JSX.Element {
  const { rows, scale, time, context } = props;
  const { story, selected } = context;
  const ticks = ticksOf(scale, { isNarrow: isNarrow.value });
  // A narrow piece before a break has no room for the day.
  const isShort = isNarrow.value && scale.pieces.length > 1;
  const selectedNodes = new Set(selected?.nodes);
  const isExecuting = rows.some(({ spans }) => spans.some(({ kind, to }) => kind === 'run' && to === undefined));
  const isLive = isExecuting && !isOver(context.run) && scale.to >= time - 1;
  return (
    <div class="tl" style={{ '--rows': String(rows.length) }}>
      <div />
      <div class="axis" aria-hidden="true">
        {ticks
          .filter(({ x }) => !isLive || x < nowFrom)
          .map(({ time: at, x, offsetMs }) => (
            <span key={`${at} ${offsetMs}`} class={offsetMs === undefined ? 's' : ''} style={{ left: percent(x) }}>
              {offsetMs === undefined
                ? x < 0.86 && (x > 0 || !isShort)
                  ? dayAndClock(at)
                  : clock(at)
                : `+${duration(offsetMs).replace('.0 s', ' s')}`}
            </span>
          ))}
        {isLive && <span class="e nowlabel">now</span>}
      </div>
      <div class="labels">
        {rows.map((row) => (
          <div
            key={row.key}
            class={`${row.depth > 0 ? 'ind' : ''}${row.depth === 0 && selectedNodes.has(row.node) ? ' on' : ''}`}
          >
            <Icon name={row.status} class={`c-${row.status}`} />
            <span class="sr">{row.status},</span>
            <span class="cut" title={row.node}>
              {row.node}
            </span>
          </div>
        ))}
      </div>
      <Plot {...props} story={story} isLive={isLive} />
    </div>
  );
}

function percent(x: number): string {
  return `${Math.round(x * 100_000) / 1_000}%`;
}

interface PlotProps extends ChartProps {
  readonly story: Story | undefined;
  readonly isLive: boolean;
}

function Plot({ rows, scale, time, context, onZoom, story, stretch, isLive }: PlotProps): JSX.Element {
  const element = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number }>();
  const xOf = (event: PointerEvent): number => {
    const box = element.current?.getBoundingClientRect();
    return box === undefined ? 0 : Math.max(0, Math.min(1, (event.clientX - box.left) / box.width));
  };
  const down = (event: PointerEvent): void => {
    if (event.button !== 0 || event.pointerType === 'touch') return;
    element.current?.setPointerCapture(event.pointerId);
    setDrag({ from: xOf(event), to: xOf(event) });
  };
  const up = (event: PointerEvent): void => {
    const zoom = drag === undefined ? undefined : brushed(scale, drag.from, xOf(event));
    setDrag(undefined);
    if (zoom !== undefined) onZoom(zoom);
    else pick(event, context);
  };
  return (
    <div
      class="plot"
      ref={element}
      onPointerDown={down}
      onPointerMove={(event) => drag !== undefined && setDrag({ from: drag.from, to: xOf(event) })}
      onPointerUp={up}
      onPointerCancel={() => setDrag(undefined)}
    >
      {ticksOf(scale, { isNarrow: isNarrow.value })
        .filter(({ x }) => x > 0)
        .map(({ x }) => (
          <i key={x} class="grid" style={{ left: percent(x) }} />
        ))}
      {stretch !== undefined && <i class="selcol" style={boxOf(scale, stretch.from, stretch.to)} />}
      {story?.takeovers
        .filter(({ at }) => at >= scale.from && at <= scale.to)
        .map(({ seq, diedAt, at, noticed }) => (
          <div key={seq} class="lost" style={boxOf(scale, diedAt, at)}>
            <b>{noticed === 'lease' ? `worker died · ${duration(at - diedAt)}` : 'worker died'}</b>
          </div>
        ))}
      {rows.map((row, index) => (
        <Track key={row.key} row={row} index={index} scale={scale} time={time} />
      ))}
      {scale.pieces.map(
        (piece) =>
          piece.isBreak && (
            <Break key={piece.from} piece={piece} rows={rows} isOpen={piece.x1 >= 1 && !isOver(context.run)} />
          ),
      )}
      {isLive && <i class="now" style={{ left: percent(scale.x(time)) }} />}
      {drag !== undefined && (
        <i
          class="brush"
          style={{ left: percent(Math.min(drag.from, drag.to)), width: percent(Math.abs(drag.to - drag.from)) }}
        />
      )}
    </div>
  );
}

function boxOf(scale: Scale, from: number, to: number): { left: string; width: string } {
  const left = scale.x(from);
  return { left: percent(left), width: percent(Math.max(0.002, scale.x(to) - left)) };
}

/** A click on a bar selects its checkpoint. */
function pick(event: PointerEvent, { own, select }: RunContext): void {
  const under = document.elementFromPoint(event.clientX, event.clientY)?.closest<HTMLElement>('[data-seq]');
  const row = under === null || under === undefined ? undefined : rowOfSeq(own, Number(under.dataset['seq']));
  if (row !== undefined) select(row);
}

function Track({
  row,
  index,
  scale,
  time,
}: {
  readonly row: Row;
  readonly index: number;
  readonly scale: Scale;
  readonly time: number;
}): JSX.Element {
  const bars = barsOf(row, scale, time);
  const place = captionPlace(bars, row.caption ?? '', scale);
  return (
    <div class="trk" style={{ '--i': String(index) }}>
      {bars.map((bar, at) => (
        <i
          key={`${bar.seq} ${at}`}
          class={`bar_ ${bar.kind}`}
          title={`${row.node}: ${bar.what}`}
          style={{ left: percent(bar.x0), width: percent(bar.x1 - bar.x0) }}
          data-seq={row.depth === 0 ? bar.seq : undefined}
        />
      ))}
      {place !== undefined && (
        <span
          class={`cap ${place.side}`}
          style={place.side === 'right' ? { left: percent(place.x) } : { right: percent(1 - place.x) }}
        >
          {row.caption}
        </span>
      )}
    </div>
  );
}

const zigzag = `M3.5 0${Array.from({ length: 10 }, (_, index) => `L${index % 2 === 1 ? 1 : 6} ${index * 10 + 5}`).join('')}L3.5 100`;

/** Idle time: torn out, with its length. */
function Break({
  piece,
  rows,
  isOpen,
}: {
  readonly piece: Piece;
  readonly rows: readonly Row[];
  readonly isOpen: boolean;
}): JSX.Element {
  const waiting = rows.findIndex(({ spans }) =>
    spans.some(
      ({ kind, from, to }) =>
        kind === 'wait' && from <= piece.from + 1 && (to ?? Number.POSITIVE_INFINITY) >= piece.to - 1,
    ),
  );
  const length = duration(piece.to - piece.from);
  const isWait = waiting !== -1;
  const text = `${length} ${isWait ? 'waiting' : 'idle'}${isOpen && isWait ? ', no process needed' : ''}`;
  return (
    <div class="brk" style={{ left: percent(piece.x0), width: percent(piece.x1 - piece.x0) }}>
      <Torn />
      {piece.x1 < 1 && <Torn />}
      <span style={{ '--at': String(Math.max(0, waiting) + 0.5) }}>{text}</span>
    </div>
  );
}

function Torn(): JSX.Element {
  return (
    <svg
      viewBox="0 0 7 100"
      preserveAspectRatio="none"
      fill="none"
      stroke="currentColor"
      stroke-width="1"
      aria-hidden="true"
    >
      <path vector-effect="non-scaling-stroke" d={zigzag} />
    </svg>
  );
}
