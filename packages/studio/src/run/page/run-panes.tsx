import type { JSX } from 'preact';
import { Button } from '../../part/button.tsx';
import { Icon } from '../../part/icon.tsx';
import { Segmented } from '../../part/segmented.tsx';
import { place, select } from '../../shell/router.ts';
import { GraphPane } from '../graph/graph-pane.tsx';
import { HistoryPane } from '../history/history-pane.tsx';
import { Inspector } from '../inspector/inspector.tsx';
import { TimelinePane } from '../timeline/timeline-pane.tsx';
import { type Pane, useRunContext } from './run-context.ts';
import { RunHeader } from './run-header.tsx';
import { TakeoverNote } from './takeover-note.tsx';
import { useRunKeys } from './use-run-keys.ts';

const panes = [
  ['graph', 'Graph'],
  ['tree', 'History'],
  ['time', 'Timeline'],
  ['insp', 'Inspect'],
] as const;

/** The four panes, in sync on one selection. In a narrow window one is shown at a time. */
export function RunPanes(): JSX.Element {
  const { run, tab, selected } = useRunContext();
  useRunKeys();
  const given = place.value.query['pane'];
  const isAsked = tab === 'question' && selected?.isHead === true;
  const pane: Pane = panes.some(([name]) => name === given)
    ? (given as Pane)
    : isAsked
      ? 'insp'
      : run.kind === 'journal'
        ? 'tree'
        : 'graph';
  const shown = run.kind === 'journal' ? panes.filter(([name]) => name === 'tree' || name === 'insp') : panes;
  return (
    <div class="runpage">
      <RunHeader />
      <TakeoverNote />
      <div class="panesw">
        <Segmented label="Pane" choices={shown} chosen={pane} onChoose={(next) => select({ pane: next })} />
      </div>
      <div class={`panes${isAsked ? ' wide' : ''}${run.kind === 'journal' ? ' plain' : ''}`} data-pane={pane}>
        <HistoryPane />
        {run.kind === 'graph' && <GraphPane />}
        {run.kind === 'graph' && <TimelinePane />}
        <Inspector />
      </div>
      {pane !== 'insp' && <Peek />}
    </div>
  );
}

/** What is selected, at the foot of a narrow window. */
function Peek(): JSX.Element | null {
  const { selected } = useRunContext();
  if (selected === undefined) return null;
  return (
    <div class="peek">
      <Icon name={dotIcons[selected.dot]} class={`c-${dotIcons[selected.dot]}`} />
      <b class="cut">{selected.name}</b>
      <code class="muted">@{selected.seq}</code>
      <span class="muted cut">{selected.what}</span>
      <span class="grow" />
      <Button isSmall iconAfter="up" onClick={() => select({ pane: 'insp' })}>
        Inspect
      </Button>
    </div>
  );
}

const dotIcons = {
  checkpoint: 'completed',
  running: 'running',
  waiting: 'waiting',
  suspended: 'suspended',
  failed: 'failed',
  end: 'completed',
} as const;
