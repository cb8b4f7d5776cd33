import type { JSX } from 'preact';
import { clock, duration } from '../../format/time.ts';
import { Note } from '../../part/note.tsx';
import type { FailedTry, StoredProblem } from '../fold/story.ts';
import { superstepOf } from '../model/selection.ts';
import { useRunContext } from '../page/run-context.ts';

const mostShown = 50;

/** What failed: why the run ended, then each try, the newest first; those of the selected step before the others. */
export function ErrorTab(): JSX.Element {
  const context = useRunContext();
  const { story } = context;
  const index = superstepOf(context)?.index;
  const failures = (story?.failures ?? [])
    .toReversed()
    .toSorted((left, right) => Number(right.superstep === index) - Number(left.superstep === index));
  const error = story?.end?.error;
  if (failures.length === 0 && error === undefined) return <p class="quiet">Nothing failed in this run.</p>;
  return (
    <div class="errors">
      {error !== undefined && (
        <article>
          <Note kind="failed" icon="failed">
            <b>The run failed</b> {clock(story?.end?.at ?? 0)}
            <br />
            {error.message} {error.code !== undefined && <code class="muted">{error.code}</code>}
          </Note>
          <Trace error={error} />
        </article>
      )}
      {failures.slice(0, mostShown).map((failure) => (
        <Failure key={failure.seq} failure={failure} hasTrace={failure.error.stack !== error?.stack} />
      ))}
      {failures.length > mostShown && <p class="faint">{failures.length - mostShown} more are in the journal.</p>}
    </div>
  );
}

/** A try. The one that ended the run has its trace there already. */
function Failure({ failure, hasTrace }: { readonly failure: FailedTry; readonly hasTrace: boolean }): JSX.Element {
  const { node, item, step, attempt, error, retryAt, at, seq } = failure;
  const place = [item === undefined ? node : `${node} #${item}`, step].filter((part) => part !== undefined).join(' › ');
  return (
    <article>
      <Note kind="failed" icon="warn">
        <b>
          {place}, try {attempt}
        </b>{' '}
        <code class="muted">@{seq}</code>
        <br />
        {error.causes[0] ?? `${error.name}: ${error.message}`}
      </Note>
      {hasTrace && <Trace error={error} />}
      <p class="muted">
        {retryAt === undefined
          ? `It was the last try, ${clock(at)}.`
          : `Tried again after ${duration(Math.max(0, retryAt - at))}.`}
      </p>
    </article>
  );
}

function Trace({ error }: { readonly error: StoredProblem }): JSX.Element | null {
  const lines = (error.stack ?? '').split('\n').filter((line) => /^\s+at /u.test(line));
  const causes = error.causes.map((cause) => `cause: ${cause}`);
  if (lines.length === 0 && causes.length === 0) return null;
  return (
    <pre class="mono trace" tabIndex={0}>
      {[...lines.slice(0, 8).map((line) => line.trim()), ...causes].join('\n')}
    </pre>
  );
}
