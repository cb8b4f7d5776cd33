import type { JSX } from 'preact';
import { useRef } from 'preact/hooks';
import { cutId } from '../../format/id.ts';
import { dayAndClock, duration } from '../../format/time.ts';
import { diffForms, forkForms } from '../../part/action-forms.ts';
import { Button, CommandButton } from '../../part/button.tsx';
import { CopyAs } from '../../part/copy/copy.tsx';
import { lazy } from '../../part/lazy.tsx';
import { rowBeside, superstepOf } from '../model/selection.ts';
import { type RunContext, type Tab, useRunContext } from '../page/run-context.ts';
import { toggleMark } from '../page/use-run-keys.ts';
import { DiffTab } from './diff-tab.tsx';
import { ErrorTab } from './error-tab.tsx';
import { JournalTab } from './journal-tab.tsx';
import { LogsTab } from './logs-tab.tsx';
import { StateTab } from './state-tab.tsx';
import { useChanges } from './use-changes.ts';

const QuestionTab = lazy(async () => (await import('../question/question-tab.tsx')).QuestionTab);

/** What the selected checkpoint is, and what can be done with it. */
export function Inspector(): JSX.Element {
  const context = useRunContext();
  const { selected, run, tab } = context;
  const changes = useChanges(context);
  return (
    <section class="pane p-insp" aria-label="Inspector">
      <Heading context={context} />
      <Tabs context={context} changed={changes.data?.changes.length} />
      <div
        class={`body${tab === 'question' ? ' sunk' : ''}`}
        role="tabpanel"
        id="insp-panel"
        aria-labelledby={`tab-${tab}`}
        tabIndex={0}
      >
        {selected === undefined ? <p class="quiet">Select a checkpoint.</p> : <Panel tab={tab} changes={changes} />}
      </div>
      {run.kind === 'graph' && <Foot context={context} />}
    </section>
  );
}

function Panel({ tab, changes }: { readonly tab: Tab; readonly changes: ReturnType<typeof useChanges> }): JSX.Element {
  switch (tab) {
    case 'question':
      return <QuestionTab />;
    case 'state':
      return <StateTab changes={changes} />;
    case 'diff':
      return <DiffTab changes={changes} />;
    case 'journal':
      return <JournalTab />;
    case 'logs':
      return <LogsTab />;
    case 'error':
      return <ErrorTab />;
  }
}

function Heading({ context }: { readonly context: RunContext }): JSX.Element {
  const { selected, rows, select, model } = context;
  const beside = (by: 1 | -1): void => {
    const row = rowBeside(rows, selected, by);
    if (row !== undefined) select(row);
  };
  const step = superstepOf(context);
  const next =
    selected?.isHead === true
      ? []
      : (model.branches.value.flatMap(({ checkpoints }) => checkpoints).find(({ id }) => id === selected?.checkpoint)
          ?.next ?? []);
  const facts = [
    selected === undefined ? undefined : `Super-step ${selected.superstep}`,
    selected === undefined ? undefined : dayAndClock(selected.at),
    step?.to === undefined || step.nodes.length === 0 ? undefined : `took ${duration(step.to - step.from)}`,
  ].filter((fact) => fact !== undefined);
  return (
    <div class="insphead">
      <div class="t">
        <h2 class="cut">{selected?.name ?? 'Nothing selected'}</h2>
        <code class="nowrap" title={selected?.id}>
          {selected === undefined ? '' : `${cutId(selected.runId)}@${selected.seq}`}
        </code>
        <span class="grow" />
        <Button kind="ghost" isSmall icon="up" label="Newer checkpoint" onClick={() => beside(-1)} />
        <Button kind="ghost" isSmall icon="down" label="Older checkpoint" onClick={() => beside(1)} />
      </div>
      <p class="muted">
        {facts.join(', ')}
        {next.length > 0 && (
          <>
            , next <b class="med ink">{next.join(', ')}</b>
          </>
        )}
        {selected?.isHead === true && selected.what !== '' && `, ${selected.what}`}
      </p>
    </div>
  );
}

const tabs = [
  ['question', 'Question'],
  ['state', 'State'],
  ['diff', 'Diff'],
  ['journal', 'Journal'],
  ['logs', 'Logs'],
  ['error', 'Error'],
] as const;

function Tabs({
  context,
  changed,
}: {
  readonly context: RunContext;
  readonly changed: number | undefined;
}): JSX.Element {
  const { run, story, tab, openTab } = context;
  const list = useRef<HTMLDivElement>(null);
  const counts: Readonly<Partial<Record<Tab, number | undefined>>> = {
    diff: changed,
    journal: run.head,
    logs: story?.logs.length,
    error: story?.failures.length,
  };
  const isOpen = run.open.some(({ kind }) => kind !== 'sleep' && kind !== 'child');
  const shown =
    run.kind === 'graph' ? tabs : tabs.filter(([name]) => name === 'state' || name === 'diff' || name === 'journal');
  const move = (event: KeyboardEvent): void => {
    const by = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (by === 0) return;
    event.preventDefault();
    const at = shown.findIndex(([name]) => name === tab);
    const [next] = shown[(at + by + shown.length) % shown.length] ?? shown[0];
    openTab(next);
    list.current?.querySelector<HTMLElement>(`#tab-${next}`)?.focus();
  };
  return (
    <div class="tabs" role="tablist" aria-label="About the checkpoint" ref={list} onKeyDown={move}>
      {shown.map(([name, title]) => (
        <button
          key={name}
          type="button"
          role="tab"
          id={`tab-${name}`}
          aria-selected={name === tab}
          aria-controls="insp-panel"
          tabIndex={name === tab ? 0 : -1}
          onClick={() => openTab(name)}
        >
          {title}
          {name === 'question' && isOpen && (
            <span class="dot">
              <span class="sr">open</span>
            </span>
          )}
          {(counts[name] ?? 0) > 0 && <span class="n">{counts[name]?.toLocaleString('en-US')}</span>}
        </button>
      ))}
    </div>
  );
}

function Foot({ context }: { readonly context: RunContext }): JSX.Element {
  const { selected, marked, fork, run } = context;
  const isMarked = marked !== undefined && marked === selected?.checkpoint;
  return (
    <div class="inspfoot">
      <CommandButton isSmall icon="fork" keys="f" onClick={() => fork()}>
        Fork from here
      </CommandButton>
      <Button isSmall icon="diff" keys="v" onClick={() => toggleMark(context)}>
        {isMarked ? 'Marked' : 'Mark for diff'}
      </Button>
      <span class="grow" />
      <CopyAs
        isSmall
        kind="ghost"
        given={() =>
          marked !== undefined && selected !== undefined && !isMarked
            ? diffForms(marked, selected.checkpoint)
            : forkForms(run.id, { at: selected?.checkpoint ?? run.id })
        }
      />
    </div>
  );
}
