import type { RunJson } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { client } from '../api/client.ts';
import { overview } from '../api/pulse.ts';
import { useCommand } from '../api/use-command.ts';
import { useLoad } from '../api/use-load.ts';
import { capped, count, counted } from '../format/number.ts';
import { resumeForms } from '../part/action-forms.ts';
import { CommandButton } from '../part/button.tsx';
import { CopyAs } from '../part/copy/copy.tsx';
import { Icon } from '../part/icon.tsx';
import { Note } from '../part/note.tsx';
import { Shown } from '../part/state.tsx';
import { Age } from '../part/when.tsx';
import { errorText } from '../runs/run-text.ts';
import { useDetails } from '../runs/use-details.ts';
import { hrefTo } from '../shell/router.ts';
import { type Cause, causesOf } from './causes.ts';

/** The newest failures, by their cause. */
export function FailedCard(): JSX.Element {
  const loaded = useLoad('failed', () => client.runs('status:failed', { limit: 20 }));
  const runs = loaded.data?.runs ?? [];
  const details = useDetails(runs);
  const causes = causesOf(runs, (run) => errorText(details(run)?.error));
  const all = overview.value?.runs.failed;
  return (
    <section class="card">
      <header>
        <Icon name="failed" class="c-failed" />
        <h2>Failed</h2>
        <span class="cnt">
          {all !== undefined &&
            all.count > 0 &&
            `${capped(all)}, ${counted(causes.length, 'cause')}${typeof loaded.data?.next === 'string' ? ' among the newest 20' : ''}`}
        </span>
        <span class="grow" />
        <a class="link" href={hrefTo(['runs'], { q: 'status:failed' })}>
          All failed
        </a>
      </header>
      <Shown of={loaded} what="failed runs" rows={2}>
        {() =>
          causes.length === 0 ? (
            <p class="quiet">No run has failed.</p>
          ) : (
            <ul class="asks">
              {causes.slice(0, 5).map((cause) => (
                <FailedCause key={cause.key} cause={cause} />
              ))}
            </ul>
          )
        }
      </Shown>
    </section>
  );
}

function FailedCause({ cause }: { readonly cause: Cause<RunJson> }): JSX.Element {
  const { runs, graph, name, message } = cause;
  const resume = useCommand(
    async () => {
      for (const { id } of runs) await client.resume(id);
    },
    () => `Resumed ${counted(runs.length, 'run')}.`,
  );
  const [newest] = runs;
  const query =
    runs.length === 1 && newest !== undefined
      ? hrefTo(['runs', newest.id])
      : hrefTo(['runs'], { q: `status:failed graph:${graph}` });
  return (
    <li>
      <span class="big c-failed">{count(runs.length)}</span>
      <div class="grow">
        <p class="q">
          <a href={query}>{graph}</a> <code class="muted">{name}</code>
        </p>
        <p class="meta">
          <span class="cut" title={message}>
            {message}
          </span>
        </p>
        {resume.error !== undefined && (
          <Note kind="failed" icon="warn">
            {resume.error.message}
          </Note>
        )}
      </div>
      {newest !== undefined && <Age at={newest.updatedAt} class="faint nowrap" />}
      <CommandButton isSmall icon="resume" isDisabled={resume.isBusy} onClick={() => void resume.give()}>
        Resume {count(runs.length)}
      </CommandButton>
      <span class="hide-n">
        <CopyAs
          isSmall
          kind="ghost"
          hasText={false}
          what={`the resume of ${graph}`}
          given={() => resumeForms(runs.map(({ id }) => id))}
        />
      </span>
    </li>
  );
}
