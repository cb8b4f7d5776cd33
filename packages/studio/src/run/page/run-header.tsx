import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { cutId } from '../../format/id.ts';
import { cancelForms, resumeForms } from '../../part/action-forms.ts';
import { Button, CommandButton } from '../../part/button.tsx';
import { CopyAs, copy } from '../../part/copy/copy.tsx';
import { Note } from '../../part/note.tsx';
import { StatusLabel } from '../../part/status.tsx';
import { isOver } from '../model/run-model.ts';
import { CancelDialog } from './cancel-dialog.tsx';
import { type RunContext, useRunContext } from './run-context.ts';
import { RunFacts, whereText } from './run-facts.tsx';

/** The head of the page: which run, how it is, what can be done. */
export function RunHeader({ actions }: { readonly actions?: JSX.Element }): JSX.Element {
  const context = useRunContext();
  const { run, story } = context;
  return (
    <header class="runhead">
      <div class="l1">
        <h1 title={run.id}>
          {cutId(run.id)}
          <Button
            kind="ghost"
            isSmall
            icon="copy"
            label="Copy the id of the run"
            onClick={() => void copy(run.id, 'the id')}
          />
        </h1>
        <StatusLabel status={run.status} isPill />
        <span class="muted cut where">{whereText(run, { story, children: context.model.children.value })}</span>
        <span class="grow" />
        <div class="row acts">{actions ?? <Actions context={context} />}</div>
      </div>
      <RunFacts run={run} story={story} />
      <Refusals context={context} />
    </header>
  );
}

function Actions({ context }: { readonly context: RunContext }): JSX.Element {
  const { run, openTab, fork } = context;
  const [isCancelling, setCancelling] = useState(false);
  const resume = useResume(context);
  const hasQuestion = run.open.some(({ kind }) => kind !== 'sleep' && kind !== 'child');
  return (
    <>
      {hasQuestion && (
        <Button icon="waiting" keys="a" onClick={() => openTab('question')}>
          Answer
        </Button>
      )}
      {mayResume(run.status) && (
        <CommandButton icon="resume" keys="r" isDisabled={resume.isBusy} onClick={() => void resume.give()}>
          Resume
        </CommandButton>
      )}
      {run.kind === 'graph' && (
        <CommandButton icon="fork" keys="f" onClick={() => fork()}>
          Fork
        </CommandButton>
      )}
      {!isOver(run) && run.kind === 'graph' && (
        <CommandButton kind="danger" icon="stop" onClick={() => setCancelling(true)}>
          Cancel
        </CommandButton>
      )}
      <span class="hide-n">
        <CopyAs
          isSmall
          kind="ghost"
          given={() => (mayResume(run.status) ? resumeForms([run.id]) : cancelForms([run.id]))}
        />
      </span>
      {isCancelling && <CancelDialog context={context} onClose={() => setCancelling(false)} />}
    </>
  );
}

/** Whether a resume does something: what waits for a question is answered instead. */
export function mayResume(status: string): boolean {
  return status === 'suspended' || status === 'failed';
}

/** Lets a worker continue the run. */
export function useResume({ run, model }: Pick<RunContext, 'run' | 'model'>) {
  return useCommand(
    async () => {
      const done = await client.resume(run.id);
      await model.beat();
      return done;
    },
    () => `${run.id} continues as soon as a worker leases it.`,
  );
}

/** Workers that could not continue the run, and why. */
function Refusals({ context }: { readonly context: RunContext }): JSX.Element | null {
  const [refusal, ...more] = context.run.refusals;
  if (refusal === undefined) return null;
  return (
    <div class="refusals">
      <Note kind="waiting" icon="code">
        <b>
          <code>{refusal.worker}</code> could not continue this run
        </b>
        {more.length > 0 && `, and ${more.length} more`}: {refusal.message} <code class="muted">{refusal.code}</code>
        <br />
        <span class="muted">The run is untouched. A worker that has the code continues it at once.</span>
      </Note>
    </div>
  );
}
