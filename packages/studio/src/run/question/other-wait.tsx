import type { Json, WaitJson } from '@holdfast/server/client';
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { client } from '../../api/client.ts';
import { now } from '../../api/live.ts';
import { useCommand } from '../../api/use-command.ts';
import { ago, exact, until } from '../../format/time.ts';
import { resumeForms, sendForms, settleForms } from '../../part/action-forms.ts';
import { CommandButton } from '../../part/button.tsx';
import { CopyAs } from '../../part/copy/copy.tsx';
import { Note } from '../../part/note.tsx';
import { JsonEditor } from '../editor/json-editor.tsx';
import { useRunContext } from '../page/run-context.ts';

/** What else a run waits for: a message to send, a pause to end, an effect to settle, a date. */
export function OtherWait({ wait }: { readonly wait: WaitJson }): JSX.Element {
  switch (wait.kind) {
    case 'receive':
      return <Message wait={wait} />;
    case 'effect':
      return <Effect wait={wait} />;
    case 'pause':
      return <Pause wait={wait} />;
    default:
      return <Waiting wait={wait} title={wait.name} />;
  }
}

function Head({ wait: { kind, name, since, until: due } }: { readonly wait: WaitJson }): JSX.Element {
  const kinds: Readonly<Record<WaitJson['kind'], string>> = {
    receive: 'message',
    effect: 'effect',
    pause: 'pause',
    sleep: 'sleep',
    ask: 'question',
    child: 'child run',
  };
  return (
    <div class="qh">
      <span class="tag">{kinds[kind]}</span>
      <span class="muted" title={exact(since)}>
        {name}, since {ago(since, now.value)}
      </span>
      <span class="grow" />
      {due !== undefined && (
        <span class="c-waiting med" title={exact(due)}>
          {kind === 'sleep' ? '' : 'due '}
          {until(due, now.value)}
        </span>
      )}
    </div>
  );
}

function Waiting({ wait, title }: { readonly wait: WaitJson; readonly title: string }): JSX.Element {
  return (
    <article class="card">
      <Head wait={wait} />
      <h3>{title}</h3>
      <p class="muted">
        {wait.until === undefined ? 'It continues by itself.' : `It continues by itself at ${exact(wait.until)}.`}
      </p>
    </article>
  );
}

function Message({ wait }: { readonly wait: WaitJson }): JSX.Element {
  const { model } = useRunContext();
  const [text, setText] = useState('{}');
  const value = parsed(text);
  const send = useCommand(
    (given: Json) => client.send(wait.runId, wait.name, given),
    () => `Sent ${wait.name}.`,
  );
  const submit = async (): Promise<void> => {
    if (value === undefined) return;
    await send.give(value);
    await model.beat();
  };
  return (
    <article class="card">
      <Head wait={wait} />
      <h3>Waits for the message {wait.name}</h3>
      <JsonEditor
        label={`The message ${wait.name}, as JSON`}
        value={text}
        isBad={value === undefined}
        onChange={setText}
      />
      {send.error !== undefined && <Refused error={send.error} />}
      <div class="row">
        <CommandButton kind="primary" isDisabled={send.isBusy || value === undefined} onClick={() => void submit()}>
          Send
        </CommandButton>
        {value === undefined && <span class="c-failed med">Must be JSON</span>}
        <span class="grow" />
        <CopyAs isSmall kind="ghost" given={() => sendForms(wait.runId, wait.name, value ?? null)} />
      </div>
    </article>
  );
}

function Effect({ wait }: { readonly wait: WaitJson }): JSX.Element {
  const { model } = useRunContext();
  const settle = useCommand(
    (outcome: 'retry' | { readonly result: unknown } | { readonly error: string }) =>
      client.settle(wait.runId, wait.key ?? wait.id, outcome),
    () => `Settled ${wait.name}.`,
  );
  const [text, setText] = useState('null');
  const value = parsed(text);
  const give = async (outcome: Parameters<typeof settle.give>[0]): Promise<void> => {
    await settle.give(outcome);
    await model.beat();
  };
  return (
    <article class="card">
      <Head wait={wait} />
      <h3>Did {wait.name} happen?</h3>
      <p class="muted">
        Its worker died while it was executed, and it may only happen once. Look at the service that it calls, under the
        key <code>{wait.key ?? wait.id}</code>, and say what is so.
      </p>
      <p class="lbl">
        Its result <span class="req">as JSON, if it happened</span>
      </p>
      <JsonEditor label="Its result, as JSON" value={text} isBad={value === undefined} onChange={setText} />
      {settle.error !== undefined && <Refused error={settle.error} />}
      <div class="row wrap">
        <CommandButton isDisabled={settle.isBusy || value === undefined} onClick={() => void give({ result: value })}>
          It happened
        </CommandButton>
        <CommandButton isDisabled={settle.isBusy} onClick={() => void give({ error: 'It failed.' })}>
          It failed
        </CommandButton>
        <CommandButton kind="danger" isDisabled={settle.isBusy} onClick={() => void give('retry')}>
          It did not happen: execute it
        </CommandButton>
        <span class="grow" />
        <CopyAs
          isSmall
          kind="ghost"
          given={() => settleForms(wait.runId, wait.key ?? wait.id, value === null ? 'retry' : { result: value })}
        />
      </div>
    </article>
  );
}

function Pause({ wait }: { readonly wait: WaitJson }): JSX.Element {
  const { model } = useRunContext();
  const resume = useCommand(
    () => client.resume(wait.runId),
    () => 'The run continues.',
  );
  return (
    <article class="card">
      <Head wait={wait} />
      <h3>Paused at {wait.node}</h3>
      <p class="muted">
        The run was started with a pause here. Look at its state, then resume it, or fork it with another one.
      </p>
      {resume.error !== undefined && <Refused error={resume.error} />}
      <div class="row">
        <CommandButton
          kind="primary"
          icon="resume"
          isDisabled={resume.isBusy}
          onClick={() => void resume.give().then(() => model.beat())}
        >
          Resume
        </CommandButton>
        <span class="grow" />
        <CopyAs isSmall kind="ghost" given={() => resumeForms([wait.runId])} />
      </div>
    </article>
  );
}

function Refused({ error }: { readonly error: Error }): JSX.Element {
  return (
    <Note kind="failed" icon="warn">
      <b>That was refused.</b> {error.message}
    </Note>
  );
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}
