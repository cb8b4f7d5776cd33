import type { GraphJson, Json } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { client } from '../api/client.ts';
import { useCommand } from '../api/use-command.ts';
import { startForms } from '../part/action-forms.ts';
import { CommandButton } from '../part/button.tsx';
import { CommandLine, CopyAs } from '../part/copy.tsx';
import { Note } from '../part/note.tsx';
import { go, hrefTo } from '../shell/router.ts';
import { readStart, type StartDraft } from './read-start.ts';
import { sampleOf } from './sample.ts';

/** Starts a run from the JSON of its input, which begins as a sample of its schema. */
export function StartForm({ graph }: { readonly graph: GraphJson }): JSX.Element {
  const id = useId();
  const [start, setStart] = useState<StartDraft>(() => ({
    mode: 'json',
    json: JSON.stringify(sampleOf(graph.inputSchema), null, 2),
    id: '',
    tags: '',
  }));
  const read = readStart(start, undefined);
  const body = { graph: graph.name, input: read.input ?? null, id: read.id, tags: read.tags };
  const command = useCommand(
    () => client.start(graph.name, read.input as Json, { id: read.id, tags: read.tags }),
    ({ run }) => `Started ${run.id}.`,
  );
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (read.problem !== undefined) return;
    const started = await command.give();
    if (started !== undefined) go(hrefTo(['runs', started.run.id]));
  };
  return (
    <section class="card">
      <header>
        <h2>Start a run</h2>
      </header>
      <form class="sf" noValidate onSubmit={(event) => void submit(event)}>
        <div class="field">
          <label for={`${id}-input`}>
            Input <span class="req">JSON</span>
          </label>
          <textarea
            id={`${id}-input`}
            class="in mono"
            rows={9}
            spellcheck={false}
            aria-invalid={read.problem !== undefined}
            value={start.json}
            onInput={(event) => setStart({ ...start, json: event.currentTarget.value })}
          />
        </div>
        <NameAndTags start={start} onChange={setStart} />
        {read.problem !== undefined && <p class="err">{read.problem}</p>}
        <CommandLine command={startForms(body).cli} />
        {command.error !== undefined && (
          <Note kind="failed" icon="warn">
            {command.error.message}
          </Note>
        )}
        <div class="row">
          <CommandButton kind="primary" type="submit" isDisabled={command.isBusy}>
            Start
          </CommandButton>
          <CopyAs kind="ghost" given={() => startForms(body)} />
          <span class="grow" />
          <span class="faint hide-n">same id and input: same run</span>
        </div>
      </form>
    </section>
  );
}

interface NameProps {
  readonly start: StartDraft;
  readonly onChange: (start: StartDraft) => void;
}

function NameAndTags({ start, onChange }: NameProps): JSX.Element {
  const id = useId();
  return (
    <div class="pair">
      <div class="field">
        <label for={`${id}-id`}>
          Id <span class="req">optional</span>
        </label>
        <input
          id={`${id}-id`}
          class="in mono"
          value={start.id}
          maxLength={500}
          onInput={(event) => onChange({ ...start, id: event.currentTarget.value })}
        />
      </div>
      <div class="field">
        <label for={`${id}-tags`}>
          Tags <span class="req">optional</span>
        </label>
        <input
          id={`${id}-tags`}
          class="in mono"
          placeholder="region=eu tier=gold"
          value={start.tags}
          onInput={(event) => onChange({ ...start, tags: event.currentTarget.value })}
        />
      </div>
    </div>
  );
}
