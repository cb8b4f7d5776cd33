import type { AskJson, RunJson } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { client } from '../api/client.ts';
import { now } from '../api/live.ts';
import { overview } from '../api/pulse.ts';
import { useLoad } from '../api/use-load.ts';
import { capped } from '../format/number.ts';
import { until } from '../format/time.ts';
import { questionOf } from '../part/ask-text.ts';
import { ButtonLink } from '../part/button.tsx';
import { Icon } from '../part/icon.tsx';
import { RunLink } from '../part/run-id.tsx';
import { Shown } from '../part/state.tsx';
import { Age } from '../part/when.tsx';
import { useKeys } from '../shell/keys.ts';
import { go, hrefTo } from '../shell/router.ts';

const shown = 6;
/** Effects of unknown outcome are looked for among so many waiting runs. */
const mostWaiting = 100;

/** The open questions, oldest first: whoever waits longest comes first. */
export function WaitingCard(): JSX.Element {
  const loaded = useLoad('asks', () => client.asks({ limit: shown }));
  const waiting = useLoad('effects', () => client.runs('status:waiting', { limit: mostWaiting }));
  const effects = (waiting.data?.runs ?? []).filter(({ waits }) => waits.some(({ kind }) => kind === 'effect'));
  const first = loaded.data?.asks[0];
  useKeys('Overview', [
    { keys: 'a', label: 'answer the first question', run: () => first !== undefined && go(answerHref(first)) },
  ]);
  const count = overview.value?.asks;
  return (
    <section class="card">
      <header>
        <Icon name="waiting" class="c-waiting" />
        <h2>Waiting for you</h2>
        <span class="cnt">{count === undefined ? '' : capped({ ...count, count: count.count + effects.length })}</span>
        <span class="grow" />
        <a class="link" href={hrefTo(['runs'], { q: 'status:waiting' })}>
          All waiting
        </a>
      </header>
      <Shown of={loaded} what="questions" rows={3}>
        {({ asks }) =>
          asks.length + effects.length === 0 ? (
            <p class="quiet">No open questions. A run that asks one appears here.</p>
          ) : (
            <ul class="asks">
              {asks.map((ask, at) => (
                <Ask key={ask.id} ask={ask} isFirst={at === 0} />
              ))}
              {effects.map((run) => (
                <Effect key={run.id} run={run} />
              ))}
            </ul>
          )
        }
      </Shown>
    </section>
  );
}

function Ask({ ask, isFirst }: { readonly ask: AskJson; readonly isFirst: boolean }): JSX.Element {
  const question = questionOf(ask);
  return (
    <li>
      <div class="grow">
        <p class="q">{question.text}</p>
        <p class="meta">
          <RunLink runId={ask.runId} class="mono" />
          <span>{ask.graph}</span>
          <span>
            {ask.name}: {question.form}
          </span>
          {ask.until !== undefined && <span class="c-waiting med">due {until(ask.until, now.value)}</span>}
        </p>
      </div>
      <Age at={ask.since} class="faint nowrap" />
      <ButtonLink isSmall kind={isFirst ? 'primary' : 'plain'} keys={isFirst ? 'a' : undefined} href={answerHref(ask)}>
        Answer
        <span class="sr"> {question.text}</span>
      </ButtonLink>
    </li>
  );
}

/** An effect that must happen once, and nobody knows whether it did. */
function Effect({ run }: { readonly run: RunJson }): JSX.Element {
  const name = run.waits.find(({ kind }) => kind === 'effect')?.name ?? '';
  return (
    <li>
      <div class="grow">
        <p class="q">Did {name} happen? Its worker died in the middle.</p>
        <p class="meta">
          <RunLink runId={run.parentId ?? run.id} class="mono" />
          <span>{run.graph}</span>
          <span class="c-waiting med">effect of unknown outcome</span>
        </p>
      </div>
      <Age at={run.updatedAt} class="faint nowrap" />
      <ButtonLink isSmall href={hrefTo(['runs', run.id], { tab: 'question' })}>
        Settle
        <span class="sr"> {name}</span>
      </ButtonLink>
    </li>
  );
}

function answerHref({ runId, id }: AskJson): string {
  return hrefTo(['runs', runId], { tab: 'question', ask: id });
}
