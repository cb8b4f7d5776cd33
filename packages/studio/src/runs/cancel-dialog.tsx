import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { client } from '../api/client.ts';
import { useCommand } from '../api/use-command.ts';
import { counted } from '../format/number.ts';
import { cancelForms } from '../part/action-forms.ts';
import { Button, CommandButton } from '../part/button.tsx';
import { CommandLine, CopyAs } from '../part/copy/copy.tsx';
import { Dialog } from '../part/dialog.tsx';
import { Note } from '../part/note.tsx';

/** Asks once more before runs are cancelled, and for the reason. */
export function CancelDialog({
  runIds,
  onClose,
}: {
  readonly runIds: readonly string[];
  readonly onClose: () => void;
}): JSX.Element {
  const [reason, setReason] = useState('');
  const given = reason.trim() === '' ? undefined : reason.trim();
  const what = counted(runIds.length, 'run');
  const cancel = useCommand(
    async () => {
      for (const id of runIds) await client.cancel(id, given);
      return true;
    },
    () => `Cancelled ${what}.`,
  );
  const confirm = async (): Promise<void> => {
    if ((await cancel.give()) === true) onClose();
  };
  const footer = (
    <>
      <CommandButton kind="danger" icon="stop" isDisabled={cancel.isBusy} onClick={() => void confirm()}>
        Cancel {what}
      </CommandButton>
      <CopyAs isSmall kind="ghost" given={() => cancelForms(runIds, given)} />
      <Button kind="ghost" onClick={onClose}>
        Keep {runIds.length === 1 ? 'it' : 'them'}
      </Button>
    </>
  );
  return (
    <Dialog title={`Cancel ${what}?`} width="small" onClose={onClose} footer={footer}>
      <div class="dlgpad">
        <p>
          None of their code runs afterwards, and their child runs are cancelled too. This cannot be undone; a fork can
          continue from any checkpoint.
        </p>
        <div class="field">
          <label for="cancel-reason">
            Reason <span class="req">optional, stands in the journal</span>
          </label>
          <input
            id="cancel-reason"
            class="in"
            value={reason}
            maxLength={1000}
            onInput={(event) => setReason(event.currentTarget.value)}
          />
        </div>
        <CommandLine command={cancelForms(runIds, given).cli} />
        {cancel.error !== undefined && (
          <Note kind="failed" icon="warn">
            {cancel.error.message}
          </Note>
        )}
      </div>
    </Dialog>
  );
}
