import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.ts';
import { useCommand } from '../../api/use-command.ts';
import { cutId } from '../../format/id.ts';
import { cancelForms } from '../../part/action-forms.ts';
import { Button, CommandButton } from '../../part/button.tsx';
import { CopyAs } from '../../part/copy/copy.tsx';
import { Dialog } from '../../part/dialog.tsx';
import { Note } from '../../part/note.tsx';
import type { RunContext } from './run-context.ts';

interface CancelProps {
  readonly context: RunContext;
  readonly onClose: () => void;
}

/** Asks before a run is cancelled. */
export function CancelDialog({ context: { run, model }, onClose }: CancelProps): JSX.Element {
  const [typed, setReason] = useState('');
  const reason = typed.trim() === '' ? undefined : typed.trim();
  const cancel = useCommand(
    async () => client.cancel(run.id, reason),
    () => `Cancelled ${run.id}.`,
  );
  const confirm = async (): Promise<void> => {
    if ((await cancel.give()) === undefined) return;
    onClose();
    await model.beat();
  };
  const footer = (
    <>
      <CopyAs isSmall kind="ghost" given={() => cancelForms([run.id], reason)} />
      <span class="grow" />
      <Button onClick={onClose}>Keep it</Button>
      <CommandButton kind="danger" icon="stop" isDisabled={cancel.isBusy} onClick={() => void confirm()}>
        Cancel the run
      </CommandButton>
    </>
  );
  return (
    <Dialog title={`Cancel ${cutId(run.id)}`} width="small" onClose={onClose} footer={footer}>
      <div class="dlgpad">
        <p>
          The run and the runs that it has started end as cancelled. What they have done stays done; a fork of any
          checkpoint can still continue from there.
        </p>
        <div class="field">
          <label for="cancel-reason">
            Reason <span class="req">optional, kept in the journal</span>
          </label>
          <input
            id="cancel-reason"
            class="in"
            value={typed}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </div>
        {cancel.error !== undefined && (
          <Note kind="failed" icon="warn">
            {cancel.error.message}
          </Note>
        )}
      </div>
    </Dialog>
  );
}
