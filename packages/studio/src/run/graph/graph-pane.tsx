import type { JSX } from 'preact';
import { useMemo, useRef, useState } from 'preact/hooks';
import { now } from '../../api/live.ts';
import { Button } from '../../part/button.tsx';
import { Segmented } from '../../part/segmented.tsx';
import { announce } from '../../shell/announce.ts';
import { rowOfNode } from '../model/selection.ts';
import { useRunContext } from '../page/run-context.ts';
import { isNarrow } from '../page/use-narrow.ts';
import { GraphList } from './graph-list.tsx';
import { GraphPicture } from './graph-picture.tsx';
import { nodeViews, takenEdges } from './node-view.ts';
import { useLayout } from './use-layout.ts';

const steps = [0.4, 0.5, 0.65, 0.8, 1, 1.25, 1.5, 2];

/** The graph as it is declared, and the way that the run has taken through it. Its twin is a list. */
export function GraphPane(): JSX.Element {
  const { model, run, story, selected } = useRunContext();
  const [mode, setMode] = useState<'graph' | 'list'>('graph');
  const [zoom, setZoom] = useState<number>();
  const body = useRef<HTMLDivElement>(null);
  const structure = model.graph.value?.structure;
  const isList = mode === 'list' || isNarrow.value;
  const drawing = useLayout(isList ? undefined : structure);
  const { views, taken } = useNodeViews();
  const pick = usePick();
  const scale = zoom ?? Math.min(1, fitOf(body.current, drawing));
  const nodes = new Set(selected?.nodes);
  return (
    <section class="pane p-graph" aria-labelledby="graph-title">
      <header>
        <h2 id="graph-title">Graph</h2>
        <span class="faint cut">
          {run.graph} v{run.version}
        </span>
        <span class="grow" />
        {!isList && <Legend />}
        <span class="hide-n">
          <Segmented label="Show the graph as" choices={modes} chosen={mode} onChoose={setMode} />
        </span>
      </header>
      <div class={`body${isList ? ' plainbg' : ''}`} ref={body}>
        {structure === undefined && <MissingCode />}
        {structure !== undefined && views !== undefined && isList && (
          <GraphList structure={structure} views={views} selected={nodes} story={story} onPick={pick} />
        )}
        {views !== undefined && drawing !== undefined && (
          <GraphPicture
            drawing={drawing}
            views={views}
            taken={taken}
            selected={nodes}
            scale={scale}
            title={run.graph}
            onPick={pick}
          />
        )}
      </div>
      {drawing !== undefined && (
        <Zoom scale={scale} onZoom={setZoom} onFit={() => setZoom(fitOf(body.current, drawing))} />
      )}
    </section>
  );
}

const modes = [
  ['graph', 'Graph'],
  ['list', 'List'],
] as const;

/** How the nodes are, and which edges were taken. Of a run that goes on, again each second. */
function useNodeViews() {
  const { model, run, story } = useRunContext();
  const structure = model.graph.value?.structure;
  const children = model.children.value;
  const time = run.status === 'running' || run.status === 'waiting' ? now.value : 0;
  const views = useMemo(
    () => (structure === undefined ? undefined : nodeViews(structure, { story, children, now: time })),
    [structure, story, children, time],
  );
  const taken = useMemo(
    () => (structure === undefined ? new Map<string, 'taken'>() : takenEdges(structure, { story, children })),
    [structure, story, children],
  );
  return { views, taken };
}

/** Selects the checkpoint at which a node ran last. */
function usePick(): (key: string) => void {
  const { own, select } = useRunContext();
  return (key) => {
    const row = rowOfNode(own, key.split('/')[0] ?? key);
    if (row === undefined) announce(`${key} has not run yet.`);
    else select(row);
  };
}

function Legend(): JSX.Element {
  return (
    <span class="legend" aria-hidden="true">
      <span>
        <i />
        taken
      </span>
      <span>
        <i class="d" />
        declared
      </span>
    </span>
  );
}

interface ZoomProps {
  readonly scale: number;
  readonly onZoom: (scale: number) => void;
  readonly onFit: () => void;
}

function Zoom({ scale, onZoom, onFit }: ZoomProps): JSX.Element {
  const larger = steps.find((each) => each > scale + 0.01) ?? scale;
  const smaller = steps.findLast((each) => each < scale - 0.01) ?? scale;
  return (
    <div class="zoom" role="group" aria-label="Size of the graph">
      <Button kind="ghost" isSmall icon="plus" label="Larger" onClick={() => onZoom(larger)} />
      <Button kind="ghost" isSmall icon="minus" label="Smaller" onClick={() => onZoom(smaller)} />
      <Button kind="ghost" isSmall icon="expand" label="Fit the window" onClick={onFit} />
    </div>
  );
}

/** At which size all of a drawing is in sight. Not below a size at which names can be read. */
function fitOf(
  body: HTMLElement | null,
  drawing: { readonly width: number; readonly height: number } | undefined,
): number {
  if (body === null || drawing === undefined) return 1;
  const fit = Math.min((body.clientWidth - 2) / drawing.width, (body.clientHeight - 2) / drawing.height);
  return Math.max(0.5, Math.min(1.25, fit));
}

function MissingCode(): JSX.Element {
  const { run, model } = useRunContext();
  if (model.graph.value !== undefined) return <></>;
  return (
    <p class="quiet">
      This server was started without the code of <code>{run.graph}</code>: it cannot draw it. The history, the states
      and the journal are complete.
    </p>
  );
}
