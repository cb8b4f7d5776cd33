import type { AskJson, Json } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { useId, useMemo, useRef, useState } from 'preact/hooks';
import { client } from '../../api/client.ts';
import { now } from '../../api/live.ts';
import { useCommand } from '../../api/use-command.ts';
import { counted } from '../../format/number.ts';
import { ago, exact, until } from '../../format/time.ts';
import { answerForms } from '../../part/action-forms.ts';
import { CommandButton } from '../../part/button.tsx';
import { CopyAs } from '../../part/copy/copy.tsx';
import { Note } from '../../part/note.tsx';
import { useRunContext } from '../page/run-context.ts';
import { checkDraft } from './check-draft.ts';
import { FieldView } from './field-view.tsx';
import { type Draft, draftOf, fieldsOf } from './fields.ts';
import { readSchema } from './schema.ts';
import { ShownFacts, titleOf } from './shown-facts.tsx';
import type { Writing } from './writing.ts';

/** The key that submits a form, as keyboards here have it. */
const submitKeys = /Mac|iP/u.test(navigator.platform) ? '⌘↵' : 'Ctrl ↵';

interface CardProps {
  readonly ask: AskJson;
  readonly draft: Writing | undefined;
  readonly onWrite: (writing: Writing) => void;
}

/** A question: what is shown as facts, and the form from its schema. */
export function QuestionCard(props: CardProps): JSX.Element {
  const { ask } = props;
  const titleId = useId();
  const { form, fields, draft, value, problems, shown, isTried, answer, change, submit } = useAnswer(props);
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'Enter' || !(event.metaKey || event.ctrlKey)) return;
    event.preventDefault();
    void submit();
  };
  const onSubmit = (event: SubmitEvent): void => {
    event.preventDefault();
    void submit();
  };
  return (
    <article class="card" aria-labelledby={titleId}>
      <Head ask={ask} />
      <h3 id={titleId}>{titleOf(ask.show, ask.name)}</h3>
      <ShownFacts show={ask.show} />
      <form ref={form} noValidate onSubmit={onSubmit} onKeyDown={onKeyDown}>
        <div class="fields">
          {fields.map((field) => (
            <FieldView key={field.path} field={field} draft={draft} problems={shown} onChange={change} />
          ))}
        </div>
        {answer.error !== undefined && (
          <Note kind="failed" icon="warn">
            <b>The answer was not taken.</b> {answer.error.message}
          </Note>
        )}
        <div class="row">
          <CommandButton kind="primary" type="submit" keys={submitKeys} isDisabled={answer.isBusy}>
            Answer
          </CommandButton>
          {isTried && problems.size > 0 && (
            <span class="c-failed med" role="status">
              {counted(problems.size, 'field')} to fix
            </span>
          )}
          <span class="grow" />
          <CopyAs
            isSmall
            kind="ghost"
            given={() => answerForms(ask.runId, { name: ask.name, value: value ?? {}, id: ask.id })}
          />
        </div>
      </form>
    </article>
  );
}

/** What is filled in, whether it fits, and how it is given. */
function useAnswer({ ask, draft: kept, onWrite }: CardProps) {
  const { model } = useRunContext();
  const fields = useMemo(() => fieldsOf(readSchema(ask.answerSchema)), [JSON.stringify(ask.answerSchema)]);
  const [draft, setDraft] = useState<Draft>(() => draftOf(fields, kept?.value));
  const [isTried, setTried] = useState(false);
  const form = useRef<HTMLFormElement>(null);
  const { value, problems } = checkDraft(fields, draft);
  const filled = [...problems].filter(([path]) => draft[path] !== undefined && draft[path] !== '');
  const answer = useCommand(
    (given: Json) => client.answer(ask.runId, ask.name, given, { id: ask.id }),
    () => `Answered ${ask.name}.`,
  );
  const change = (path: string, next: Json | undefined): void => {
    const after = { ...draft, [path]: next };
    setDraft(after);
    onWrite({ ask, value: checkDraft(fields, after).value, isSent: false });
  };
  const submit = async (): Promise<void> => {
    setTried(true);
    const [first] = problems.keys();
    if (first !== undefined || value === undefined) return focusOn(form.current, first ?? '');
    const done = await answer.give(value);
    if (done !== undefined) onWrite({ ask, value, isSent: true });
    return model.beat();
  };
  const shown = isTried ? problems : new Map(filled);
  return { form, fields, draft, value, problems, shown, isTried, answer, change, submit };
}

function Head({ ask: { name, since, until: due, runId } }: { readonly ask: AskJson }): JSX.Element {
  const { run } = useRunContext();
  return (
    <div class="qh">
      <span class="tag">{name}</span>
      <span class="muted" title={exact(since)}>
        asked {ago(since, now.value)}
      </span>
      {runId !== run.id && <code class="muted cut">by {runId}</code>}
      <span class="grow" />
      {due !== undefined && (
        <span class="c-waiting med" title={exact(due)}>
          due {until(due, now.value)}
        </span>
      )}
    </div>
  );
}

/** Brings the viewer to the first field that is wrong. */
function focusOn(form: HTMLFormElement | null, path: string): void {
  const field = form?.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`);
  const control = field?.querySelector<HTMLElement>('input, textarea, select, button');
  control?.focus();
  field?.scrollIntoView({ block: 'nearest' });
}
