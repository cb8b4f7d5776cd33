import type { JSX } from 'preact';
import { now } from '../../api/live.ts';
import { ago } from '../../format/time.ts';
import { ButtonLink } from '../../part/button.tsx';
import { Note } from '../../part/note.tsx';
import { hrefTo } from '../../shell/router.ts';
import { useRunContext } from './run-context.ts';

/** Says that a worker died, as long as it is news: while the run goes on, and an hour after. */
export function TakeoverNote(): JSX.Element | null {
  const { run, story } = useRunContext();
  const last = story?.takeovers.at(-1);
  if (run.lease?.until === null) return <Dying worker={run.lease.worker} runId={run.id} />;
  if (last === undefined || (run.status !== 'running' && now.value - last.at > 3_600_000)) return null;
  const { from, by, at } = last;
  return (
    <div class="tknote">
      <Note
        kind="info"
        icon="cpu"
        action={
          <ButtonLink isSmall href={hrefTo(['runs', run.id, 'takeover'])}>
            See the takeover
          </ButtonLink>
        }
      >
        <b>{from === undefined ? 'The worker died.' : <code>{from}</code>}</b>
        {from !== undefined && ' died.'} <code>{by}</code> took the run over{' '}
        {ago(new Date(at).toISOString(), now.value)}.
      </Note>
    </div>
  );
}

function Dying({ worker, runId }: { readonly worker: string; readonly runId: string }): JSX.Element {
  const watch = (
    <ButtonLink isSmall href={hrefTo(['runs', runId, 'takeover'])}>
      Watch the takeover
    </ButtonLink>
  );
  return (
    <div class="tknote">
      <Note kind="waiting" icon="skull" action={watch}>
        <b>
          The worker <code>{worker}</code> has died.
        </b>{' '}
        The next worker that looks takes the run over. Nothing that has finished runs twice.
      </Note>
    </div>
  );
}
