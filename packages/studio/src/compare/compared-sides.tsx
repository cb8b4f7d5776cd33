import type { CheckpointJson } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { client } from '../api/client.ts';
import { useLoad } from '../api/use-load.ts';
import { runOf, seqOf } from '../format/id.ts';
import { dayAndClock } from '../format/time.ts';
import { Button } from '../part/button.tsx';
import { RunLink } from '../part/run-id.tsx';
import { StatusLabel } from '../part/status.tsx';
import { select } from '../shell/router.ts';
import { PartedPicture } from './path-since.tsx';

/** What is compared, and ways to compare something else. */
export function ComparedSides({ a, b }: { readonly a: string; readonly b: string }): JSX.Element {
  return (
    <div class="ab card">
      <Side name="A" checkpoint={a} onChange={(next) => select({ a: next })} />
      <div class="mid">
        <Button isSmall icon="swap" label="Swap A and B" onClick={() => select({ a: b, b: a })} />
        {a !== '' && b !== '' && <PartedPicture a={a} b={b} />}
      </div>
      <Side name="B" checkpoint={b} onChange={(next) => select({ b: next })} />
    </div>
  );
}

interface SideProps {
  readonly name: 'A' | 'B';
  readonly checkpoint: string;
  readonly onChange: (checkpoint: string) => void;
}

function Side({ name, checkpoint, onChange }: SideProps): JSX.Element {
  const [isOpen, setOpen] = useState(checkpoint === '');
  const [text, setText] = useState(checkpoint);
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    setOpen(false);
    onChange(text.trim());
  };
  return (
    <div class="side">
      <span class={name === 'A' ? 'lt' : 'lt b'}>{name}</span>
      {isOpen ? (
        <form class="grow row" onSubmit={submit}>
          <input
            class="in mono grow"
            aria-label={`State ${name}: a run, or run@number`}
            placeholder="ord_81@14"
            value={text}
            onInput={(event) => setText(event.currentTarget.value)}
          />
          <Button isSmall kind="primary" type="submit">
            Compare
          </Button>
        </form>
      ) : (
        <>
          <Chosen checkpoint={checkpoint} />
          <Button isSmall onClick={() => setOpen(true)}>
            Change<span class="sr"> {name}</span>
          </Button>
        </>
      )}
    </div>
  );
}

function Chosen({ checkpoint }: { readonly checkpoint: string }): JSX.Element {
  const runId = runOf(checkpoint);
  const seq = seqOf(checkpoint);
  const loaded = useLoad(`run ${runId}`, () => client.run(runId), { isLive: false });
  const found = useLoad(
    seq === undefined ? undefined : `checkpoint ${checkpoint}`,
    () => checkpointAt(runId, seq ?? 0),
    {
      isLive: false,
    },
  );
  const run = loaded.data;
  const nodes = seq === undefined ? run?.graph : found.data?.nodes.join(' ∥ ');
  return (
    <div class="grow">
      <p>
        <RunLink runId={runId} at={seq} class="mono semi" /> <span class="muted cut">{nodes}</span>
      </p>
      <p class="muted">
        {run !== undefined && seq === undefined && <StatusLabel status={run.status} />}
        {run !== undefined && seq !== undefined && <span>{run.graph}</span>}
        {run !== undefined && (
          <span class="hide-n">
            {dayAndClock(seq === undefined ? run.updatedAt : (found.data?.at ?? run.updatedAt))}
          </span>
        )}
        {loaded.error?.message}
      </p>
    </div>
  );
}

const newest = 200;

/** The checkpoint that a state is of: the newest one up to a seq, if it is among the newest of its run. */
async function checkpointAt(runId: string, seq: number): Promise<CheckpointJson | undefined> {
  const { checkpoints } = await client.checkpoints(runId, { limit: newest });
  return checkpoints.find((each) => each.seq <= seq);
}
