import type { RunJson } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { client } from '../api/client.ts';
import { useCommand } from '../api/use-command.ts';
import { counted } from '../format/number.ts';
import { resumeForms } from '../part/action-forms.ts';
import { Button, CommandButton } from '../part/button.tsx';
import { CopyAs } from '../part/copy/copy.tsx';
import { go, hrefTo, place } from '../shell/router.ts';
import { CancelDialog } from './cancel-dialog.tsx';

interface FootProps {
  readonly ticked: readonly RunJson[];
  readonly onClear: () => void;
  readonly shown: number;
  readonly after: string | undefined;
  readonly next: string | null;
}

/** Paging; with ticked runs, also what can be done to all of them. */
export function RunsFoot({ ticked, onClear, shown, after, next }: FootProps): JSX.Element {
  const { q } = place.value.query;
  return (
    <footer class={`pg${ticked.length === 0 ? '' : ' has-ticks'}`}>
      {ticked.length > 0 && <BulkActions runs={ticked} onClear={onClear} />}
      <span class="grow" />
      <span class="muted hide-n">{shown === 0 ? '' : `${counted(shown, 'run')}, newest first`}</span>
      <Button isSmall icon="left" isDisabled={after === undefined} onClick={() => history.back()}>
        Newer
      </Button>
      <Button
        isSmall
        iconAfter="right"
        isDisabled={next === null}
        onClick={() => next !== null && go(hrefTo(['runs'], { q, after: next }))}
      >
        Older
      </Button>
    </footer>
  );
}

function BulkActions({
  runs,
  onClear,
}: {
  readonly runs: readonly RunJson[];
  readonly onClear: () => void;
}): JSX.Element {
  const [isCancelling, setCancelling] = useState(false);
  const ids = runs.map(({ id }) => id);
  const resume = useCommand(
    async () => {
      for (const id of ids) await client.resume(id);
    },
    () => `Resumed ${counted(ids.length, 'run')}.`,
  );
  return (
    <>
      <b>{ids.length} selected</b>
      <CommandButton isSmall icon="resume" isDisabled={resume.isBusy} onClick={() => void resume.give()}>
        Resume
      </CommandButton>
      <CommandButton isSmall kind="danger" icon="stop" onClick={() => setCancelling(true)}>
        Cancel…
      </CommandButton>
      <CopyAs isSmall kind="ghost" given={() => resumeForms(ids)} />
      <Button isSmall kind="ghost" icon="x" label="Clear the selection" onClick={onClear} />
      {resume.error !== undefined && (
        <span class="err" role="alert">
          {resume.error.message}
        </span>
      )}
      {isCancelling && <CancelDialog runIds={ids} onClose={() => setCancelling(false)} />}
    </>
  );
}
