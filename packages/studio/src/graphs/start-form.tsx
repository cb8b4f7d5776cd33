import type { GraphJson, Json, StartBody } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { useId, useState } from 'preact/hooks';
import { client } from '../api/client.ts';
import { useCommand } from '../api/use-command.ts';
import { counted } from '../format/number.ts';
import { startForms } from '../part/action-forms.ts';
import { CommandButton } from '../part/button.tsx';
import { CommandLine, CopyAs } from '../part/copy/copy.tsx';
import { Note } from '../part/note.tsx';
import { Segmented } from '../part/segmented.tsx';
import { JsonEditor } from '../run/editor/json-editor.tsx';
import { checkDraft } from '../run/question/check-draft.ts';
import { FieldView } from '../run/question/field-view.tsx';
import { type Draft, draftOf, type Field, fieldsOf } from '../run/question/fields.ts';
import { readSchema } from '../run/question/schema.ts';
import { go, hrefTo } from '../shell/router.ts';
import { readStart, type StartDraft } from './read-start.ts';

/** Starts a run: a form from the JSON Schema of the input, or JSON. */
export function StartForm({ graph }: { readonly graph: GraphJson }): JSX.Element {
  const fields = fieldsOf(readSchema(graph.inputSchema));
  const [draft, setDraft] = useState<Draft>(() => draftOf(fields));
  const [start, setStart] = useState<StartDraft>({ mode: 'form', json: '{}', id: '', tags: '' });
  const [isTried, setTried] = useState(false);
  const checked = checkDraft(fields, draft);
  const read = readStart(start, checked.value);
  const body = { graph: graph.name, input: read.input ?? null, id: read.id, tags: read.tags };
  const command = useCommand(
    () => client.start(graph.name, read.input, { id: read.id, tags: read.tags }),
    ({ run }) => `Started ${run.id}.`,
  );
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    setTried(true);
    const isBad = read.problem !== undefined || (start.mode === 'form' && checked.problems.size > 0);
    if (isBad) return focusProblem(event.currentTarget);
    const started = await command.give();
    if (started !== undefined) go(hrefTo(['runs', started.run.id]));
  };
  return (
    <section class="card">
      <header>
        <h2>Start a run</h2>
        <span class="grow" />
        <Segmented
          label="Input as"
          choices={[
            ['form', 'Form'],
            ['json', 'JSON'],
          ]}
          chosen={start.mode}
          onChoose={(mode) => setStart({ ...start, mode, json: mode === 'json' ? textOf(checked.value) : start.json })}
        />
      </header>
      <form class="sf" noValidate onSubmit={(event) => void submit(event)}>
        {start.mode === 'form' ? (
          <Fields fields={fields} draft={draft} problems={isTried ? checked.problems : none} onDraft={setDraft} />
        ) : (
          <JsonEditor label="The input as JSON" value={start.json} onChange={(json) => setStart({ ...start, json })} />
        )}
        <NameAndTags start={start} onChange={setStart} />
        {isTried && read.problem !== undefined && <p class="err">{read.problem}</p>}
        <CommandLine command={startForms(body).cli} />
        {command.error !== undefined && (
          <Note kind="failed" icon="warn">
            {command.error.message}
          </Note>
        )}
        <Actions body={body} isBusy={command.isBusy} />
      </form>
    </section>
  );
}

function Actions({ body, isBusy }: { readonly body: StartBody; readonly isBusy: boolean }): JSX.Element {
  return (
    <div class="row">
      <CommandButton kind="primary" type="submit" isDisabled={isBusy}>
        Start
      </CommandButton>
      <CopyAs kind="ghost" given={() => startForms(body)} />
      <span class="grow" />
      <span class="faint hide-n">same id and input: same run</span>
    </div>
  );
}

const none: ReadonlyMap<string, string> = new Map();

/** What has many parts, and may be left out. */
function isRest({ widget, isRequired }: Field): boolean {
  return !isRequired && (widget === 'json' || widget === 'group');
}

interface FieldsProps {
  readonly fields: readonly Field[];
  readonly draft: Draft;
  readonly problems: ReadonlyMap<string, string>;
  readonly onDraft: (draft: Draft) => void;
}

/** What is usually given comes first. What has many parts, and may be left out, waits behind a heading. */
function Fields({ fields, ...rest }: FieldsProps): JSX.Element {
  const [isOpen, setOpen] = useState(false);
  const others = fields.filter(isRest);
  return (
    <>
      <FieldList fields={fields.filter((field) => !isRest(field))} {...rest} />
      {others.length > 0 && (
        <details open={isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
          <summary>{counted(others.length, 'more field')}</summary>
          {isOpen && <FieldList fields={others} {...rest} />}
        </details>
      )}
    </>
  );
}

function FieldList({ fields, draft, problems, onDraft }: FieldsProps): JSX.Element {
  return (
    <div class="fields">
      {fields.map((field) => (
        <FieldView
          key={field.path}
          field={field}
          draft={draft}
          problems={problems}
          onChange={(path, value) => onDraft({ ...draft, [path]: value })}
        />
      ))}
    </div>
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

function focusProblem(form: EventTarget | null): void {
  if (!(form instanceof HTMLElement)) return;
  requestAnimationFrame(() => form.querySelector<HTMLElement>('[aria-invalid="true"], .in.bad')?.focus());
}

function textOf(value: Json | undefined): string {
  return JSON.stringify(value ?? {}, null, 2);
}
