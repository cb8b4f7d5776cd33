import type { RunJson } from '@holdfast/server/client';
import { ClientError } from '@holdfast/server/client';
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useMemo, useState } from 'preact/hooks';
import { client } from '../../api/client.ts';
import { pulse } from '../../api/pulse.ts';
import { useLoad } from '../../api/use-load.ts';
import { cutId } from '../../format/id.ts';
import { lazy } from '../../part/lazy.tsx';
import { Problem, Skeleton } from '../../part/state.tsx';
import { hrefTo, place, select } from '../../shell/router.ts';
import { type TreeRow, treeRows } from '../history/fork-tree.ts';
import { RunModel } from '../model/run-model.ts';
import { atOf, ownRows, selectedRow } from '../model/selection.ts';
import { type ForkStart, type RunContext, RunScope, type Tab } from './run-context.ts';
import { RunPanes } from './run-panes.tsx';
import './run.css';
import '../history/history.css';
import '../timeline/timeline.css';
import '../inspector/inspector.css';

const ForkDialog = lazy(async () => (await import('../fork/fork-dialog.tsx')).ForkDialog);
const TakeoverView = lazy(async () => (await import('../takeover/takeover-view.tsx')).TakeoverView);

const tabs: ReadonlySet<string> = new Set<Tab>(['question', 'state', 'diff', 'journal', 'logs', 'error']);

/** The page of a run, or of its takeover. */
export function RunView({ runId, view }: { readonly runId: string; readonly view: string }): JSX.Element | null {
  const model = useMemo(() => new RunModel(runId), [runId]);
  const [isSlow, setSlow] = useState(false);
  useEffect(() => {
    void model.start();
    const timer = setTimeout(() => setSlow(true), 300);
    return () => {
      clearTimeout(timer);
      model.stop();
    };
  }, [model]);
  const beat = pulse.value;
  useEffect(() => {
    if (model.run.value !== undefined) void model.beat();
  }, [model, beat]);
  const error = model.error.value;
  if (error !== undefined) return <Failed error={error} runId={runId} onRetry={() => void model.start()} />;
  if (model.run.value === undefined) return isSlow ? <Skeleton what="the run" rows={8} /> : null;
  return (
    <Scoped model={model}>
      <Viewed view={view} />
    </Scoped>
  );
}

function Viewed({ view }: { readonly view: string }): JSX.Element {
  return view === 'takeover' ? <TakeoverView /> : <RunPanes />;
}

/** Gives the panes what they share. */
function Scoped({ model, children }: { readonly model: RunModel; readonly children: ComponentChildren }): JSX.Element {
  const [marked, mark] = useState<string>();
  const [forkStart, setForkStart] = useState<ForkStart & { readonly row: TreeRow }>();
  const run = model.run.value;
  const story = model.story.value;
  const branches = model.branches.value;
  const rows = useMemo(() => treeRows(branches, story), [branches, story]);
  const own = useMemo(() => ownRows(rows, model.runId), [rows, model]);
  const { at, tab } = place.value.query;
  const selected = useMemo(() => selectedRow(rows, at, model.runId), [rows, at, model]);
  if (run === undefined) throw new Error('The run is not loaded.');
  const context: RunContext = {
    model,
    run,
    story,
    rows,
    own,
    selected,
    select: (row) => select({ at: atOf(row, rows, model.runId) }),
    tab:
      tab !== undefined && tabs.has(tab)
        ? (tab as Tab)
        : defaultTab(
            run.status,
            run.open.some(({ kind }) => needsPerson.has(kind)),
            selected,
          ),
    openTab: (next) => select({ tab: next, pane: 'insp' }),
    marked,
    mark,
    fork(given = {}) {
      const row =
        given.checkpoint === undefined ? selected : (rows.find(({ id }) => id === given.checkpoint) ?? selected);
      if (row !== undefined) setForkStart({ ...given, row });
    },
  };
  return (
    <RunScope.Provider value={context}>
      {children}
      {forkStart !== undefined && <ForkDialog start={forkStart} onClose={() => setForkStart(undefined)} />}
    </RunScope.Provider>
  );
}

const needsPerson: ReadonlySet<string> = new Set(['ask', 'receive', 'pause', 'effect']);

function defaultTab(status: string, isAsked: boolean, selected: TreeRow | undefined): Tab {
  if (selected?.isHead === true && isAsked) return 'question';
  return selected?.isHead === true && status === 'failed' ? 'error' : 'state';
}

const mostSimilar = 3;

/** Runs whose ids begin alike. A typo is mostly at the end. */
function Similar({ runId }: { readonly runId: string }): JSX.Element | null {
  const runs = useLoad(`similar ${runId}`, () => similarTo(runId), { isLive: false }).data ?? [];
  if (runs.length === 0) return null;
  return (
    <>
      <p>Did you mean one of these?</p>
      <div class="row">
        {runs.map(({ id }) => (
          <a class="btn" key={id} href={hrefTo(['runs', id])} title={id}>
            <code>{cutId(id)}</code>
          </a>
        ))}
      </div>
    </>
  );
}

async function similarTo(runId: string): Promise<readonly RunJson[]> {
  for (const cut of [1, 2, 4]) {
    const prefix = runId.slice(0, -cut);
    if (prefix === '') break;
    const { runs } = await client.runs(`id:${prefix}`, { limit: mostSimilar });
    if (runs.length > 0) return runs;
  }
  return [];
}

function Failed({
  error,
  runId,
  onRetry,
}: {
  readonly error: Error;
  readonly runId: string;
  readonly onRetry: () => void;
}): JSX.Element {
  if (!(error instanceof ClientError) || error.status !== 404) return <Problem error={error} onRetry={onRetry} />;
  return (
    <div class="state">
      <span class="nf">404</span>
      <h1>
        There is no run <code>{runId}</code>
      </h1>
      <Similar runId={runId} />
      <p>It may have been deleted, or be in another store.</p>
      <div class="row">
        <a class="btn" href={hrefTo(['runs'])}>
          All runs
        </a>
      </div>
    </div>
  );
}
