import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.ts';
import { caller, now } from '../../api/live.ts';
import { useLoad } from '../../api/use-load.ts';
import { exact, until } from '../../format/time.ts';
import { Icon } from '../../part/icon.tsx';
import { Shown } from '../../part/state.tsx';
import type { WaitStory } from '../fold/story.ts';
import type { RunModel } from '../model/run-model.ts';
import { superstepOf } from '../model/selection.ts';
import { useRunContext } from '../page/run-context.ts';
import { AnsweredByAnother, PastAnswer } from './answered.tsx';
import { OtherWait } from './other-wait.tsx';
import { QuestionCard } from './question-card.tsx';
import type { Writing } from './writing.ts';
import './question.css';

/** What the run asks: the open questions as forms, or how those of an earlier step were answered. */
export function QuestionTab(): JSX.Element {
  const context = useRunContext();
  const { selected } = context;
  return selected?.isHead === true ? <OpenQuestions /> : <PastQuestions />;
}

/** What was written and not sent, of each page of a run: neither another tab nor a change of the selection loses it. */
const writings = new WeakMap<RunModel, Map<string, Writing>>();

function writingsOf(model: RunModel): Map<string, Writing> {
  const known = writings.get(model) ?? new Map<string, Writing>();
  writings.set(model, known);
  return known;
}

function OpenQuestions(): JSX.Element {
  const { run, model, openTab } = useRunContext();
  const asks = useLoad(run.open.some(({ kind }) => kind === 'ask') ? `asks ${run.id} ${run.head}` : undefined, () =>
    client.asks({ run: run.id }),
  );
  const writing = writingsOf(model);
  const [, redraw] = useState(0);
  const open = asks.data?.asks ?? [];
  const isKnown = asks.data !== undefined || !run.open.some(({ kind }) => kind === 'ask');
  const others = run.open.filter(({ kind }) => kind !== 'ask' && kind !== 'child');
  const waits = [...(model.story.value?.waits ?? []), ...model.children.value.flatMap(({ story }) => story.waits)];
  // Somebody else was faster while an answer was written here: theirs stands, and this one is not thrown away.
  const lost = isKnown
    ? [...writing.values()].filter((each) => !each.isSent && !open.some(({ id }) => id === each.ask.id))
    : [];
  const forget = (id: string): void => {
    writing.delete(id);
    redraw((before) => before + 1);
  };
  const note = (next: Writing): void => {
    // From now on the tab stays: an answer that somebody else gives first must not take this one out of sight.
    if (!writing.has(next.ask.id)) openTab('question');
    writing.set(next.ask.id, next);
  };
  const isEmpty = isKnown && open.length + others.length + lost.length === 0;
  return (
    <div class="qs">
      {open.length > 0 && (
        <p class="answersas muted">
          answers as
          <span class="row">
            <Icon name="user" />
            <b class="med ink">{caller.value?.by ?? '…'}</b>
          </span>
        </p>
      )}
      {!isKnown && (
        <Shown of={asks} what="the questions" rows={3}>
          {() => null}
        </Shown>
      )}
      {open.map((ask) => (
        <QuestionCard key={ask.id} ask={ask} draft={writing.get(ask.id)} onWrite={note} />
      ))}
      {lost.map((each) => (
        <AnsweredByAnother
          key={each.ask.id}
          writing={each}
          wait={waits.find(({ id }) => id === each.ask.id)}
          onDiscard={() => forget(each.ask.id)}
        />
      ))}
      {others.map((wait) => (
        <OtherWait key={wait.id} wait={wait} />
      ))}
      {isEmpty && <NothingOpen />}
    </div>
  );
}

function NothingOpen(): JSX.Element {
  const { story, run } = useRunContext();
  const answered = (story?.waits ?? []).filter(({ kind, to }) => kind === 'ask' && to !== undefined).slice(-5);
  if (answered.length > 0) return <Answers waits={answered.toReversed()} />;
  const due = run.status === 'waiting' ? run.wakeAt : null;
  return (
    <p class="quiet">
      {due === null
        ? 'This run has no open question.'
        : `No open question: the run continues by itself on ${exact(due)}, ${until(due, now.value)}.`}
    </p>
  );
}

function PastQuestions(): JSX.Element {
  const context = useRunContext();
  const index = superstepOf(context)?.index;
  const waits = (context.story?.waits ?? []).filter(({ superstep, kind }) => superstep === index && kind !== 'child');
  if (waits.length === 0) return <p class="quiet">This super-step asked nothing and waited for nothing.</p>;
  return <Answers waits={waits} />;
}

function Answers({ waits }: { readonly waits: readonly WaitStory[] }): JSX.Element {
  return (
    <div class="qs">
      {waits.map((wait) => (
        <PastAnswer key={wait.id} wait={wait} />
      ))}
    </div>
  );
}
