import type { PruneBody, PrunedJson } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { client } from '../api/client.ts';
import { useCommand } from '../api/use-command.ts';
import { bytes, counted } from '../format/number.ts';
import { Button, CommandButton } from '../part/button.tsx';
import { Dialog } from '../part/dialog.tsx';
import { Note } from '../part/note.tsx';

/** Asks once more, with the numbers, before checkpoints are dropped. */
export function PruneDialog({
  policy,
  report,
  onClose,
  onPruned,
}: {
  readonly policy: PruneBody;
  readonly report: PrunedJson;
  readonly onClose: () => void;
  readonly onPruned: () => void;
}): JSX.Element {
  const what = counted(report.pruned, 'checkpoint');
  const prune = useCommand(
    () => client.prune({ ...policy, apply: true }),
    ({ pruned }) => `Pruned ${counted(pruned, 'checkpoint')}.`,
  );
  const confirm = async (): Promise<void> => {
    if ((await prune.give()) === undefined) return;
    onPruned();
    onClose();
  };
  const footer = (
    <>
      <CommandButton kind="danger" icon="trash" isDisabled={prune.isBusy} onClick={() => void confirm()}>
        Prune {what}
      </CommandButton>
      <Button kind="ghost" onClick={onClose}>
        Keep them
      </Button>
    </>
  );
  return (
    <Dialog title={`Prune ${what}?`} width="small" onClose={onClose} footer={footer}>
      <div class="dlgpad">
        <p>
          {what} of {counted(report.runs, 'run')} are dropped for good, which frees {bytes(report.bytes)}. Results stay;
          no fork can begin at a checkpoint that was dropped.
        </p>
        {prune.error !== undefined && (
          <Note kind="failed" icon="warn">
            {prune.error.message}
          </Note>
        )}
      </div>
    </Dialog>
  );
}
