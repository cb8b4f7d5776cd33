import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import { now } from '../../api/live.ts';
import { duration } from '../../format/time.ts';
import { Button } from '../../part/button.tsx';
import { Segmented } from '../../part/segmented.tsx';
import { isOver } from '../model/run-model.ts';
import { type RunContext, useRunContext } from '../page/run-context.ts';
import { Chart } from './chart.tsx';
import { activeStretches, type Row, rowsOf } from './rows.ts';
import { type Stretch, scaleOf } from './scale.ts';

/** So many nodes are drawn; a fan-out is one row. */
const mostRows = 120;

/** When each node was executed. Idle time is collapsed, a drag zooms in. */
export function TimelinePane(): JSX.Element {
  const context = useRunContext();
  const { model, run, story } = context;
  const [mode, setMode] = useState<'active' | 'clock'>('active');
  const [zoom, setZoom] = useState<Stretch>();
  const children = model.children.value;
  const isLive = !isOver(run);
  const time = isLive ? now.value : (story?.to ?? 0);
  const rows = useMemo(() => timelineRows(context), [story, children, model.graph.value]);
  const scale = useMemo(() => {
    if (story?.from === undefined) return undefined;
    const stretches = activeStretches([story, ...children.map((child) => child.story)], time);
    const full = { from: story.from, to: isLive ? time : (story.to ?? time) };
    return scaleOf(stretches, { ...(zoom ?? full), isCollapsed: mode === 'active' });
  }, [story, children, time, zoom, mode, isLive]);
  const isCollapsed = scale?.pieces.some(({ isBreak }) => isBreak) === true;
  return (
    <section class="pane p-time" aria-labelledby="timeline-title">
      <header>
        <h2 id="timeline-title">Timeline</h2>
        <span class="faint cut">{factOf(isCollapsed, zoom)}</span>
        <span class="grow" />
        {zoom === undefined ? (
          <span class="muted only-w">drag to zoom</span>
        ) : (
          <Button isSmall kind="ghost" icon="expand" onClick={() => setZoom(undefined)}>
            All of it
          </Button>
        )}
        <ZoomToSelected context={context} onZoom={setZoom} />
        <Segmented
          label="Time"
          choices={
            [
              ['active', 'Active time'],
              ['clock', 'Clock time'],
            ] as const
          }
          chosen={mode}
          onChoose={setMode}
        />
      </header>
      <div class="body scrolls" role="group" aria-label="Bars by node" tabIndex={0}>
        {scale === undefined || story?.spans.length === 0 ? (
          <p class="quiet">Bars appear here once something is executed.</p>
        ) : (
          <Chart
            rows={rows}
            scale={scale}
            time={time}
            context={context}
            stretch={selectedStretch(context, time)}
            onZoom={setZoom}
          />
        )}
      </div>
    </section>
  );
}

function factOf(isCollapsed: boolean, zoom: Stretch | undefined): string {
  if (zoom !== undefined) return `${duration(zoom.to - zoom.from)} of it`;
  return isCollapsed ? 'idle time collapsed' : '';
}

/** The drag's twin for the keyboard. */
function ZoomToSelected({
  context,
  onZoom,
}: {
  readonly context: RunContext;
  readonly onZoom: (zoom: Stretch) => void;
}): JSX.Element | null {
  const stretch = selectedStretch(context, now.value);
  if (stretch === undefined) return null;
  const margin = Math.max(50, (stretch.to - stretch.from) * 0.2);
  return (
    <Button
      isSmall
      kind="ghost"
      icon="search"
      label="Zoom to the selected checkpoint"
      onClick={() => onZoom({ from: stretch.from - margin, to: stretch.to + margin })}
    />
  );
}

function timelineRows({ model, story }: RunContext): readonly Row[] {
  if (story === undefined) return [];
  const structure = model.graph.value?.structure;
  const rows = rowsOf(story, { declared: structure?.nodes.map(({ name }) => name) ?? [] });
  return rows
    .flatMap((row) => {
      const child = model.children.value.findLast(({ node }) => node === row.node);
      if (child === undefined) return [row];
      return [row, ...rowsOf(child.story, { declared: [], depth: 1, keyPrefix: `${row.node}/` })];
    })
    .slice(0, mostRows);
}

/** The time of the selected super-step. */
function selectedStretch({ story, selected }: RunContext, time: number): Stretch | undefined {
  if (selected === undefined || story === undefined) return undefined;
  const step = selected.isHead
    ? story.supersteps.findLast(({ nodes }) => nodes.length > 0)
    : story.supersteps.find(({ runId, seq }) => seq === selected.seq && runId === selected.runId);
  return step === undefined || step.nodes.length === 0 ? undefined : { from: step.from, to: step.to ?? time };
}
