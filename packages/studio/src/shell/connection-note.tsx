import type { JSX } from 'preact';
import { connection, failedTries, lastAnswer } from '../api/live.ts';
import { refresh } from '../api/pulse.ts';
import { clock } from '../format/time.ts';
import { Button } from '../part/button.tsx';
import { Note } from '../part/note.tsx';

/** Says that the connection is lost, what that means for what is shown, and that it is tried again. */
export function ConnectionNote(): JSX.Element | null {
  if (connection.value === 'live' || failedTries.value < 2) return null;
  return (
    <div class="page connote">
      <Note
        kind="waiting"
        icon="plug"
        action={
          <Button isSmall onClick={refresh}>
            Now
          </Button>
        }
      >
        <b>Reconnecting.</b> What you see is from {clock(lastAnswer.value)}.
        <br />
        <span class="muted">
          Nothing is lost: runs continue. Answers, forks and cancels are off until the connection is back.
        </span>
      </Note>
    </div>
  );
}
