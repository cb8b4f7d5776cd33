import type { Json } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { now } from '../../api/live.ts';
import { ago, dayAndClock, duration, exact } from '../../format/time.ts';
import { Button, CommandButton } from '../../part/button.tsx';
import { Note } from '../../part/note.tsx';
import { Mark } from '../../part/status.tsx';
import { jsonLines } from '../diff/diff-rows.ts';
import { isFields } from '../fold/payload.ts';
import type { WaitStory } from '../fold/story.ts';
import { useRunContext } from '../page/run-context.ts';
import { titleOf } from './shown-facts.tsx';
import type { Writing } from './writing.ts';

/** Somebody else answered first: who, when, theirs beside yours, and what can be done with yours. */
export function AnsweredByAnother({
  writing: { ask, value },
  wait,
  onDiscard,
}: {
  readonly writing: Writing;
  readonly wait: WaitStory | undefined;
  readonly onDiscard: () => void;
}): JSX.Element {
  const { fork, own } = useRunContext();
  const by = wait?.by ?? 'somebody else';
  // The checkpoint before the question: from there on the run asks again.
  const before = own.find((row) => !row.isHead && row.seq < (wait?.seq ?? Number.POSITIVE_INFINITY));
  return (
    <article class="card q2">
      <div class="qh">
        <span class="tag">{ask.name}</span>
        <span class="muted" title={exact(ask.since)}>
          asked {ago(ask.since, now.value)}
        </span>
        <span class="grow" />
        <Mark mark="executed">answered</Mark>
      </div>
      <h3>Already answered by {by}</h3>
      <p class="muted">
        {wait?.to === undefined ? 'Just now' : capital(ago(new Date(wait.to).toISOString(), now.value))}, while you were
        writing. Their answer stands; yours was not saved.
      </p>
      <Beside theirs={wait?.value} yours={value} by={by} />
      <div class="row">
        <Button isSmall onClick={onDiscard}>
          Discard mine
        </Button>
        <CommandButton
          isSmall
          icon="fork"
          isDisabled={before === undefined}
          onClick={() =>
            fork({
              checkpoint: before?.checkpoint,
              label: `another answer to ${ask.name}`,
              answer: { name: ask.name, value },
            })
          }
        >
          Fork with my answer
        </CommandButton>
      </div>
    </article>
  );
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

/** Two answers, field by field. */
function Beside({
  theirs,
  yours,
  by,
}: {
  readonly theirs: Json | undefined;
  readonly yours: Json | undefined;
  readonly by: string;
}): JSX.Element {
  const isByField = isFields(theirs) && isFields(yours);
  const names = isByField ? [...new Set([...Object.keys(theirs), ...Object.keys(yours)])] : ['answer'];
  const valueOf = (answer: Json | undefined, name: string): string =>
    jsonLines(isByField && isFields(answer) ? answer[name] : answer).join(' ');
  return (
    <table class="tbl two">
      <thead>
        <tr>
          <th>
            <span class="sr">Field</span>
          </th>
          <th>{by}, kept</th>
          <th>yours</th>
        </tr>
      </thead>
      <tbody>
        {names.map((name) => {
          const [left, right] = [valueOf(theirs, name), valueOf(yours, name)];
          return (
            <tr key={name}>
              <td>{name}</td>
              <td>{left}</td>
              <td class={left === right ? '' : 'dif'}>{left === right ? right : <del>{right}</del>}</td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
}

/** A question of an earlier step, and how it was answered; or another wait, and how it ended. */
export function PastAnswer({ wait }: { readonly wait: WaitStory }): JSX.Element {
  const { name, kind, to, from, by, value, show } = wait;
  const isAsk = kind === 'ask';
  return (
    <article class="card">
      <Note kind={to === undefined ? 'waiting' : 'done'} icon={to === undefined ? 'waiting' : 'check'}>
        <b>{name}</b> {endText(wait)}
        {to !== undefined && (
          <>
            , {dayAndClock(to)}
            <br />
            <span class="muted">after {duration(to - from)}</span>
          </>
        )}
      </Note>
      {isAsk && (
        <dl class="kv">
          <dt>asked</dt>
          <dd>{titleOf(show, name)}</dd>
          {isFields(value) ? (
            Object.entries(value).map(([field, each]) => (
              <>
                <dt key={field}>{field}</dt>
                <dd key={`${field} value`}>
                  <code>{jsonLines(each).join(' ')}</code>
                </dd>
              </>
            ))
          ) : (
            <>
              <dt>answer</dt>
              <dd>
                <code>{jsonLines(value).join(' ')}</code>
              </dd>
            </>
          )}
          {by !== undefined && (
            <>
              <dt>by</dt>
              <dd>{by}</dd>
            </>
          )}
        </dl>
      )}
    </article>
  );
}

function endText({ kind, to, by }: WaitStory): string {
  if (to === undefined) return 'is still open';
  switch (kind) {
    case 'ask':
      return by === undefined ? 'was answered' : `was answered by ${by}`;
    case 'sleep':
      return 'was over';
    case 'receive':
      return 'received a message';
    case 'effect':
      return 'was settled';
    default:
      return 'ended';
  }
}
